// tier: default
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { CountingProxy } from '../../support/network/counting-proxy.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import {
  DeskFiles,
  hashOf,
  pickFromBrowser,
  UploadPage,
  watchOffsets,
} from '../../support/web/upload-page.ts';
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

/** Names of uploads that were announced and not completed. */
async function openSessions(): Promise<readonly (string | null)[]> {
  const sessions = await holdall.app.database.db
    .selectFrom('upload_session')
    .select('filename')
    .where('status', 'in', ['CREATED', 'UPLOADING', 'COMPLETING'])
    .execute();
  return sessions.map(({ filename }) => filename);
}

test('chosen files appear in their folder with their bytes', async () => {
  const files = [
    await desk.write('one.bin', 5 * MB),
    await desk.write('two "quoted".txt', 10),
    await desk.write('empty', 0),
  ];
  await enter('/Documents');
  await uploads.pick(files);
  await uploads.says('3 files uploaded');
  // Before the downloads: the uploads close by themselves after a while.
  const said = visit.page.getByRole('status').filter({ hasText: '3 files uploaded' });
  await said.first().waitFor({ state: 'attached' });
  await visit.page.getByRole('main').getByText('two "quoted".txt').waitFor();
  for (const name of ['one.bin', 'two "quoted".txt', 'empty']) {
    assert.equal(await hashOf(alice, `/Documents/${name}`), desk.hash(name));
  }
});

test('a dropped folder of five hundred files arrives with all its content', inFull, async () => {
  for (let index = 0; index < 500; index += 1) {
    await desk.write(`dropped/${index % 2 === 0 ? '' : `part ${index % 10}/`}file ${index}.txt`, 100 + index);
  }
  await desk.makeDirectory('dropped/nothing in it');
  await alice.mkdir('/drop');
  await enter('/drop');
  await uploads.dragUntil(visit.page.getByText('Drop to upload to drop'), [`${desk.root}/dropped`]);
  await uploads.drop([`${desk.root}/dropped`, await desk.write('beside.txt', 5)]);
  await uploads.says('502 files uploaded');
  await visit.page.getByRole('main').getByText('beside.txt').waitFor();
  const tree = await alice.tree('/drop');
  assert.equal(tree.filter(({ directory }) => !directory).length, 501);
  assert.ok(tree.some(({ path }) => path === '/drop/dropped/nothing in it'));
  for (const file of tree.filter(({ directory }) => !directory)) {
    const { sha256 } = await alice.details(file);
    assert.equal(sha256, desk.hash(file.path.slice('/drop/'.length)), file.path);
  }
});

test('files can be dropped after the user has gone to another folder and back', inFull, async () => {
  await alice.mkdir('/gone/below');
  await enter('/gone');
  const { page } = visit;
  const file = await desk.write('late.txt', 5);
  await page.getByRole('row', { name: 'below' }).dblclick();
  await page.getByText('This folder is empty').waitFor();
  await uploads.drop([file]);
  await uploads.says('1 file uploaded');
  await page.goBack();
  await page.getByRole('row', { name: 'below' }).waitFor();
  await uploads.drop([file]);
  await waitFor(
    () => alice.names('/gone'),
    (names) => names.includes('late.txt'),
    'the second file',
  );
  assert.deepEqual(await alice.names('/gone/below'), ['late.txt']);
});

test('an upload that a reload interrupts resumes when its file is chosen again', inFull, async () => {
  const size = 24 * MB;
  const file = await desk.write('film.bin', size);
  await enter('/Documents');
  const sentBefore = line.sentBytes;
  await uploads.limit(4 * MB);
  await uploads.pick(file);
  await uploads.open();
  await uploads
    .row('film.bin')
    .getByText(/^([89]|1\d)(\.\d)? MB of 24 MB/)
    .waitFor();
  await visit.page.reload();
  await uploads.says('1 upload was interrupted');
  await visit.checkAccessible();
  const [chooser] = await Promise.all([
    visit.page.waitForEvent('filechooser'),
    uploads.press('Choose files'),
  ]);
  await uploads.limit(undefined);
  await chooser.setFiles(file);
  await uploads.says('1 file uploaded');
  assert.equal(await hashOf(alice, '/Documents/film.bin'), desk.hash('film.bin'));
  // Bytes in flight at the reload are sent twice, and nothing else.
  const sentBytes = line.sentBytes - sentBefore;
  assert.ok(sentBytes < size + 8 * MB, `${sentBytes} bytes were sent`);
});

test('an upload resumes by itself after a reload if the browser has a file handle', async () => {
  await enter('/Documents');
  const offsets = watchOffsets(visit.page);
  const hash = await pickFromBrowser(visit.page, 'kept.bin', 24 * MB);
  // The upload takes 12 s, so even a busy machine reloads the page before it ends.
  await uploads.limit(2 * MB);
  await visit.page.getByRole('button', { name: 'Upload', exact: true }).click();
  await visit.page.getByRole('menuitem', { name: 'Files…' }).click();
  await uploads.open();
  await uploads
    .row('kept.bin')
    .getByText(/^([89]|1\d)(\.\d)? MB of 24 MB/)
    .waitFor();
  await visit.page.reload();
  await uploads.limit(undefined);
  await uploads.says('1 file uploaded');
  assert.equal(await hashOf(alice, '/Documents/kept.bin'), hash);
  assert.ok((offsets.at(-1) ?? 0) >= 4 * MB);
});

test(
  'another tab leaves uploads alone while the first one works on them, and takes them over when it closes',
  inFull,
  async () => {
    await enter('/Documents');
    await pickFromBrowser(visit.page, 'tabs.bin', 60 * MB);
    await uploads.limit(2 * MB);
    await visit.page.getByRole('button', { name: 'Upload', exact: true }).click();
    await visit.page.getByRole('menuitem', { name: 'Files…' }).click();
    await uploads.open();
    await uploads
      .row('tabs.bin')
      .getByText(/^[2-9](\.\d)? MB of 60 MB/)
      .waitFor();
    const other = new UploadPage(await visit.context.newPage());
    const offsets = watchOffsets(other.page);
    await other.visit('/Documents');
    assert.equal(await other.tray.count(), 0);
    await visit.page.close();
    await other.says('1 file uploaded');
    assert.equal(offsets.length, 1);
    assert.ok((offsets[0] ?? 0) > 0);
    assert.equal(
      (await alice.list('/Documents', { size: 1_000 })).items.filter(({ filename }) => /^tabs/.test(filename))
        .length,
      1,
    );
  },
);

test('an upload can be paused and resumed, and a cancelled one leaves nothing', async () => {
  const files = [await desk.write('paused.bin', 12 * MB), await desk.write('cancelled.bin', 12 * MB)];
  await enter('/Documents');
  const offsets = watchOffsets(visit.page);
  // The uploads take 24 s, so even a busy machine presses the buttons before they end.
  await uploads.limit(MB);
  await uploads.pick(files);
  await uploads.open();
  await uploads
    .row('paused.bin')
    .getByText(/^[1-9](\.\d)? MB of 12 MB/)
    .waitFor();
  await uploads.press('Pause paused.bin');
  await uploads
    .row('paused.bin')
    .getByText(/^Paused at/)
    .waitFor();
  await uploads.press('Cancel cancelled.bin');
  await uploads.says('1 upload paused');
  await waitFor(
    openSessions,
    (open) => open.includes('paused.bin') && !open.includes('cancelled.bin'),
    'the end of the cancelled upload',
  );
  await uploads.limit(undefined);
  await uploads.press('Resume paused.bin');
  await uploads.says('1 file uploaded');
  assert.equal(await hashOf(alice, '/Documents/paused.bin'), desk.hash('paused.bin'));
  assert.ok((offsets.at(-1) ?? 0) > 0);
  assert.ok(!(await alice.names('/Documents')).includes('cancelled.bin'));
});

test('a broken connection delays uploads until it is back', inFull, async () => {
  const files = [await desk.write('cut.bin', 12 * MB), await desk.write('cut small.txt', 10)];
  await enter('/Documents');
  const offsets = watchOffsets(visit.page);
  await uploads.limit(MB);
  await uploads.pick(files);
  await uploads.open();
  await uploads
    .row('cut.bin')
    .getByText(/^[4-9](\.\d)? MB of 12 MB/)
    .waitFor();
  line.disconnect();
  await uploads.says('Waiting for connection');
  line.reconnect();
  await uploads.limit(undefined);
  await uploads.says('2 files uploaded');
  assert.equal(await hashOf(alice, '/Documents/cut.bin'), desk.hash('cut.bin'));
  assert.ok((offsets.at(-1) ?? 0) > 0);
});

test('a file that changes while it waits is not uploaded, and is reported', inFull, async () => {
  const file = await desk.write('changing.txt', 100);
  await enter('/Documents');
  // Uploads one file first, to load everything that shows uploads.
  await uploads.pick(await desk.write('unchanged.txt', 100));
  await uploads.says('1 file uploaded');
  line.disconnect();
  await uploads.pick(file);
  await uploads.says('Waiting for connection');
  await desk.change('changing.txt', 200);
  line.reconnect();
  await uploads.says('1 upload failed');
  await uploads.open();
  await uploads.row('changing.txt').getByText('The file has changed or is gone.').waitFor();
});

test('a file that is too large, or has no room, is reported at once and not retried', inFull, async () => {
  const bob = await holdall.register('bob');
  const admin = await holdall.admin();
  const limits = `/api/admin/users/${bob.id}`;
  await admin.ask('PATCH', `${limits}/storage-quota`, { body: { storageQuotaBytes: 3 * MB } });
  await admin.ask('PATCH', `${limits}/max-upload-size`, { body: { maxUploadSizeBytes: 2 * MB } });
  await enter('/Documents', {}, bob);
  await uploads.pick(await desk.write('fits.bin', 1.9 * MB));
  await uploads.says('1 file uploaded');
  await uploads.pick([await desk.write('huge.bin', 3 * MB), await desk.write('over.bin', 1.8 * MB)]);
  await uploads.says('2 uploads failed');
  await uploads.open();
  await uploads.row('huge.bin').getByText('Larger than your upload limit of 2 MB').waitFor();
  await uploads.row('over.bin').getByText('Not enough space left in your drive').waitFor();
  assert.equal((await bob.names('/Documents')).length, 1);
});

test(
  'a file beyond the limit on the number of files is reported as such, and the profile warns',
  inFull,
  async () => {
    const carla = await holdall.register('carla');
    const admin = await holdall.admin();
    const limits = `/api/admin/users/${carla.id}`;
    await admin.ask('PATCH', `${limits}/max-entries`, { body: { maxEntries: 4 } });
    await enter('/Documents', {}, carla);
    await uploads.pick(await desk.write('last.txt', 10));
    await uploads.says('1 file uploaded');
    await uploads.pick(await desk.write('too many.txt', 10));
    await uploads.says('1 upload failed');
    await uploads.open();
    await uploads.row('too many.txt').getByText('too many files and folders').waitFor();
    await visit.page.goto('/profile');
    await visit.page.getByRole('main').getByText('4 of 4 files and folders').waitFor();
  },
);

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `the open tray is accessible, ${colorScheme}, and on a phone`,
    colorScheme === 'light' ? {} : inFull,
    async () => {
      await alice.upload(`/${colorScheme}/taken.bin`, 'old');
      const files = [
        await desk.write(`${colorScheme}/taken.bin`, 10),
        await desk.write(`${colorScheme}/a long name, as phones give them, 2026-11-21.bin`, 9 * MB),
      ];
      await enter(`/${colorScheme}`, { colorScheme, viewport: { width: 360, height: 740 } });
      await uploads.limit(MB / 4);
      await uploads.pick(files);
      const dialog = visit.page.getByRole('dialog', { name: '1 item already exists' });
      await dialog.waitFor();
      await visit.checkAccessible();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      await uploads.open();
      await uploads
        .row('a long name')
        .getByText(/MB of 9 MB/)
        .waitFor();
      await visit.checkAccessible();
      const box = await uploads.tray.boundingBox();
      assert.deepEqual([box?.x, box?.width], [0, 360]);
      await uploads.press('Resolve…');
      await dialog.getByRole('combobox', { name: 'Decision for taken.bin' }).selectOption('Skip');
      await dialog.getByRole('button', { name: 'Continue' }).click();
      await uploads.limit(undefined);
      await uploads.says('1 file skipped');
      await visit.checkAccessible();
      await uploads.press('Close uploads');
      await uploads.tray.waitFor({ state: 'detached' });
    },
  );
}
