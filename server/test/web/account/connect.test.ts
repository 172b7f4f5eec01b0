// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
// It reads the clipboard.
const browser = await startBrowser({ isShared: false });

test('the page for connecting apps shows the address of this server and the steps for each app', async () => {
  const alice = await holdall.register('alice');
  const visit = await Visit.begin(browser, holdall, {
    permissions: ['clipboard-read', 'clipboard-write'],
    userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
  });
  const { page } = visit;
  await visit.logIn(alice, '/profile');
  await page.getByRole('link', { name: 'How to connect apps' }).click();
  await page.getByRole('heading', { name: 'Connect apps', level: 1 }).waitFor();
  const address = `${holdall.url}/dav/`;
  await page.getByRole('button', { name: 'Explorer on Windows', expanded: true }).waitFor();
  await page
    .getByRole('button', { name: `Copy: ${address}` })
    .first()
    .click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), address);
  const closed = page.getByRole('main').getByRole('button', { expanded: false });
  while ((await closed.count()) > 0) await closed.first().click();
  await page.getByText(`url=${address} vendor=owncloud user=${alice.username} `).waitFor();
  await page.getByRole('img', { name: 'QR code of the address' }).waitFor();
  await visit.checkAccessible();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit.checkAccessible();
  const { width } = (await page.getByRole('main').boundingBox()) ?? { width: 0 };
  assert.ok(width <= 360, 'nothing is wider than a phone');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360);
  assert.equal(await page.getByText('WebDAV is turned off').count(), 0);

  await page.getByRole('link', { name: 'Create app password' }).click();
  await page.waitForURL('**/profile#app-passwords');
  await page.getByRole('heading', { name: 'App passwords' }).waitFor();
  visit.checkClean();
});
