// tier: default
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { FileVersion } from '../../../src/drive/versions/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { CountingProxy } from '../../support/network/counting-proxy.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { DeskFiles, hashOf, toHash, UploadPage } from '../../support/web/upload-page.ts';
import { Visit } from '../../support/web/web-visit.ts';

const MB = 1_000_000;

const holdall = await startHoldall();
const [line, browser] = await Promise.all([
  CountingProxy.open(holdall.url),
  startBrowser({ isShared: false }),
]);
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');
await alice.ask('PUT', '/api/user/profile', { body: { displayName: 'Alice' } });
let visit: Visit;
let uploads: UploadPage;

afterEach(async () => {
  line.reconnect();
  await uploads.leave();
  await visit.end();
  visit.checkClean();
});

async function enter(path: string, options: BrowserContextOptions = {}, person = alice): Promise<void> {
  visit = await Visit.begin(browser, { ...holdall, url: line.url }, options);
  await visit.logIn(person, `/drive${path}`);
  uploads = new UploadPage(visit.page);
  await uploads.waitFor();
}

test('a taken name can be kept, replaced or skipped', inFull, async () => {
  await alice.mkdir('/taken');
  const replaced = await alice.upload('/taken/replaced.txt', 'old');
  for (const name of ['both.txt', 'skipped.txt']) await alice.upload(`/taken/${name}`, 'old');
  await enter('/taken');
  const files: string[] = [];
  for (const name of ['both.txt', 'replaced.txt', 'skipped.txt'])
    files.push(await desk.write(`taken/${name}`, 20));
  const answer = async (name: string, choice: string) => {
    const dialog = visit.page.getByRole('dialog', { name: /already exists/ });
    await dialog.getByText(`“${name}”`).waitFor();
    await dialog.getByText('Existing file: 3 bytes').waitFor();
    // The time tells which of the two is the newer one.
    await dialog.getByText(/New file: 20 bytes, modified .*20\d\d/).waitFor();
    await visit.checkAccessible();
    await dialog.getByRole('button', { name: choice }).click();
  };
  for (const [index, choice] of ['Keep both', 'Replace', 'Skip'].entries()) {
    await uploads.pick(files[index] ?? '');
    await answer(['both.txt', 'replaced.txt', 'skipped.txt'][index] ?? '', choice);
    await uploads.says(index < 2 ? '1 file uploaded' : '1 file skipped');
    await uploads.press('Close uploads');
  }
  assert.deepEqual(await alice.names('/taken'), ['both (2).txt', 'both.txt', 'replaced.txt', 'skipped.txt']);
  assert.equal(await hashOf(alice, '/taken/both (2).txt'), desk.hash('taken/both.txt'));
  assert.equal(await hashOf(alice, '/taken/replaced.txt'), desk.hash('taken/replaced.txt'));
  assert.equal(await hashOf(alice, '/taken/skipped.txt'), toHash(Buffer.from('old')));
  // The file keeps its id, and its old content can be restored.
  const versions = await alice.ask<readonly FileVersion[]>('GET', `/api/v2/files/${replaced.id}/versions`);
  assert.deepEqual(
    versions.map(({ size }) => size),
    [3],
  );
});

test('a decision for all conflicts is asked for once, and folders are merged', async () => {
  for (let index = 0; index < 70; index += 1) {
    await desk.write(`again/${index}.txt`, 10);
    if (index < 60) await alice.upload(`/all/again/${index}.txt`, 'old');
  }
  await enter('/all');
  await uploads.drop([`${desk.root}/again`]);
  // The other files are uploaded meanwhile.
  await waitFor(
    () => alice.names('/all/again'),
    (names) => names.length === 70,
    'the files without a conflict',
  );
  const dialog = visit.page.getByRole('dialog', { name: '60 items already exist' });
  await dialog.getByText('Existing: 3 bytes').first().waitFor();
  await visit.checkAccessible();
  // Only the visible rows are on the page.
  assert.ok((await dialog.getByRole('listitem').count()) < 20);
  await dialog.getByRole('combobox', { name: 'For all items' }).selectOption('Keep both');
  const texts = await dialog.getByRole('listitem').allInnerTexts();
  const [both = '', replaced = '', skipped = ''] = texts.map((text) => /\d+\.txt/.exec(text)?.[0]);
  const decisionFor = (name: string) => dialog.getByRole('combobox', { name: `Decision for ${name}` });
  await decisionFor(replaced).selectOption('Replace');
  await decisionFor(skipped).selectOption('Skip');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await uploads.says('1 file skipped');
  assert.equal((await alice.names('/all/again')).length, 70 + 58);
  const numbered = both.replace('.txt', ' (2).txt');
  assert.equal(await hashOf(alice, `/all/again/${numbered}`), desk.hash(`again/${both}`));
  assert.equal(await hashOf(alice, `/all/again/${replaced}`), desk.hash(`again/${replaced}`));
  assert.equal(await hashOf(alice, `/all/again/${skipped}`), toHash(Buffer.from('old')));
});

test('files that are already here are neither sent again nor asked about', async () => {
  const large = 9 * MB;
  const files = [await desk.write('same/small.txt', 200_000), await desk.write('same/large.bin', large)];
  await alice.mkdir('/same');
  await enter('/same');
  await uploads.pick(files);
  await uploads.says('2 files uploaded');
  const before = await alice.list('/same');
  await waitFor(
    () => Promise.all(before.items.map((entry) => alice.details(entry))),
    (details) => details.every(({ sha256 }) => sha256 !== null),
    'the checksums of the files',
  );
  await uploads.press('Close uploads');
  const sentBefore = line.sentBytes;
  await uploads.pick([...files, await desk.write('same/new.txt', 10)]);
  await uploads.says('1 file uploaded');
  await uploads.tray.getByText('2 files already here').waitFor();
  await uploads.open();
  await uploads.row('large.bin').getByText('Already here · 9 MB').waitFor();
  await visit.checkAccessible();
  assert.ok(line.sentBytes - sentBefore < 150_000, `${line.sentBytes - sentBefore} bytes were sent`);
  assert.equal((await alice.names('/same')).length, 3);
  for (const entry of before.items) {
    const versions = await alice.ask<readonly FileVersion[]>('GET', `/api/v2/files/${entry.id}/versions`);
    assert.deepEqual([versions.length, (await alice.details(entry)).modifiedAt], [0, entry.modifiedAt]);
  }
});
