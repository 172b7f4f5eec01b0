// tier: full
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { CountingProxy } from '../../support/network/counting-proxy.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { DeskFiles, hashOf, UploadPage } from '../../support/web/upload-page.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const MB = 1_000_000;

const holdall = await startHoldall();
const [line, browser] = await Promise.all([
  CountingProxy.open(holdall.url),
  startBrowser({ isShared: false }),
]);
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`interrupted uploads can be postponed, and are continued from the menu, on ${device}`, async () => {
    const name = `later on ${device}.bin`;
    const file = await desk.write(name, 12 * MB);
    const visit = await Visit.begin(browser, { ...holdall, url: line.url }, options);
    const { page } = await visit.logIn(alice, '/drive/Documents');
    const uploads = new UploadPage(page);
    await uploads.waitFor();
    await uploads.limit(2 * MB);
    await uploads.pick(file);
    await uploads.open();
    await uploads
      .row(name)
      .getByText(/^[4-9](\.\d)? MB of 12 MB/)
      .waitFor();
    await page.reload();
    await uploads.says('1 upload was interrupted');
    await visit.checkAccessible();
    await uploads.press('Close uploads');
    await uploads.tray.waitFor({ state: 'detached' });
    await page.getByText('Continue later from the Upload menu').waitFor();
    // Also on the next visit.
    await page.reload();
    await uploads.waitFor();
    const menu = page.getByRole('button', { name: 'Upload', exact: true });
    await menu.click();
    const item = page.getByRole('menuitem', { name: '1 interrupted upload…' });
    await item.waitFor();
    assert.equal(await uploads.tray.count(), 0);
    await visit.checkAccessible();
    await item.click();
    await uploads.says('1 upload was interrupted');
    await uploads.press('Not now');
    await uploads.tray.waitFor({ state: 'detached' });
    // Choosing the same file again continues its upload.
    const sentBefore = line.sentBytes;
    await uploads.limit(undefined);
    await uploads.pick(file);
    await uploads.says('1 file uploaded');
    assert.equal(await hashOf(alice, `/Documents/${name}`), desk.hash(name));
    assert.ok(line.sentBytes - sentBefore < 9 * MB, 'what had arrived was not sent again');
    await page.reload();
    await uploads.waitFor();
    assert.equal(await uploads.tray.count(), 0);
    await uploads.leave();
    await visit.end();
    visit.checkClean();
  });
}
