// tier: default
// runs on: sqlite
// needs: browser
// Two users, each in front of a browser, and a third one.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import {
  checkAccessible,
  chooseFiles,
  cutBehind,
  hashFile,
  makeFolder,
  makeRandomFile,
  measureMostBytes,
  readCode,
  readPicked,
  visitTransfer,
  WITH_FOLDER_PICKER,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';
import { readBack } from '../../support/zip/zip-reading.ts';

const MIB = 1024 ** 2;

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

test(
  '100 MB are sent from browser to browser, through an interruption, to disk and not to memory',
  inFull,
  async () => {
    const size = 100_000_000;
    const file = path.join(folder, 'holiday.mov');
    const hash = await makeRandomFile(file, size);
    const sender = await visit({ scripts: [cutBehind(40_000_000)] });
    await checkAccessible(sender);
    await chooseFiles(sender.page, 'Choose files', file);
    const code = await readCode(sender.page);
    await checkAccessible(sender);

    const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code.toLowerCase()}` });
    const { page } = receiver;
    await page.getByText('holiday.mov').waitFor();
    await checkAccessible(receiver);
    // The download starts without a click, so it is not lost when the page is closed.
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    await sender.page.getByRole('heading', { name: 'Sending to the other person' }).waitFor();

    const third = await visit({ address: `/transfer/${code}` });
    await third.page.getByText('Someone else is already receiving this').waitFor();
    await checkAccessible(third);

    const isHere = page.getByRole('heading', { name: 'Received' });
    const mostBytes = await measureMostBytes(receiver, isHere);
    await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
    assert.ok(mostBytes < 80 * MIB, `the page held ${mostBytes} bytes`);
    const { sentBytes, cuts } = await sender.page.evaluate<{ sentBytes: number; cuts: number }>(
      '({ sentBytes, cuts })',
    );
    assert.equal(cuts, 1);
    assert.ok(sentBytes >= size && sentBytes < size + 24 * MIB, `${sentBytes} bytes were sent`);
    await checkAccessible(receiver);
    await checkAccessible(sender);

    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'holiday.mov');
    assert.equal(await hashFile(await download.path()), hash);
  },
);

test('a folder with its content is sent to a phone, into the folder chosen there', inFull, async () => {
  const contents = new Map<string, string>([['Trip/empty.txt', '']]);
  for (let index = 0; index < 60; index += 1) {
    contents.set(`Trip/Day ${index % 3}/${index}.txt`, `file ${index} `.repeat(index * 50));
  }
  await makeFolder(folder, contents);
  const alice = await holdall.register('alice');
  const sender = await visit({ address: '/login' });
  await sender.logIn(alice);
  await sender.page.getByRole('link', { name: 'Quick transfer' }).click();
  await chooseFiles(sender.page, 'Choose folder', path.join(folder, 'Trip'));
  const code = await readCode(sender.page);

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const receiver = await visit({ scripts: [WITH_FOLDER_PICKER], ...phone });
  await checkAccessible(receiver);
  await receiver.page.getByLabel('Code').fill(`${code.slice(0, 3)}-${code.slice(3)}`);
  await receiver.page.getByText('Receive 61 files').waitFor();
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  // While the disk is blocked, everything else waits too and can be checked.
  await receiver.page.getByRole('heading', { name: /Receiving from alice/ }).waitFor();
  await sender.page.getByRole('heading', { name: 'Sending to the other person' }).waitFor();
  await checkAccessible(receiver);
  await checkAccessible(sender);
  const width = await receiver.page.evaluate('document.documentElement.scrollWidth');
  assert.equal(width, 360, 'nothing is wider than the phone');
  // The transfer continues while its sender is on another page, and is found again.
  await sender.page.getByRole('link', { name: 'My files' }).click();
  await sender.page.getByRole('heading', { name: 'My files' }).waitFor();
  await receiver.page.evaluate('openGate()');
  await receiver.page.getByRole('heading', { name: 'Received' }).waitFor();
  await receiver.page.getByText('Saved to picked.').waitFor();
  const empty = receiver.page.getByRole('listitem').filter({ hasText: 'Trip/empty.txt' });
  await empty.getByRole('img', { name: 'Done' }).waitFor();
  await sender.page.getByRole('link', { name: 'Quick transfer' }).click();
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  assert.deepEqual(await readPicked(receiver.page), new Map([...contents].sort()));
});

/** A browser that fails to read one of the received files, once. */
const FAILS_ONCE = `
  let mayFail = true;
  const getFile = FileSystemFileHandle.prototype.getFile;
  FileSystemFileHandle.prototype.getFile = async function () {
    if (this.name !== '7' || !mayFail) return getFile.call(this);
    mayFail = false;
    throw new Error('The disk has failed.');
  };
`;

/** The names of all files that transfers have stored in the browser. A text, because it runs there. */
const LIST_STORED_NAMES = `(async () => {
  const names = [];
  const all = await (await navigator.storage.getDirectory()).getDirectoryHandle('transfers');
  for await (const folder of all.values()) for await (const name of folder.keys()) names.push(name);
  return names;
})()`;

test('a folder sent to a browser without file pickers is saved as one archive', inFull, async () => {
  const contents = new Map<string, string>();
  for (let index = 0; index < 200; index += 1)
    contents.set(`Notes/${index % 4}/${index}.txt`, `file ${index}`);
  await makeFolder(folder, contents);
  const sender = await visit();
  await chooseFiles(sender.page, 'Choose folder', path.join(folder, 'Notes'));
  const code = await readCode(sender.page);
  const scripts = [WITHOUT_PICKERS, FAILS_ONCE];
  const { page } = await visit({ ...PHONE, scripts, address: `/transfer/${code}` });
  await page.getByRole('button', { name: 'Receive', exact: true }).tap();
  await page.getByRole('heading', { name: 'Received' }).waitFor();
  await page.getByRole('button', { name: 'Save all' }).tap();
  await page.getByRole('alert').waitFor();
  const stored = await page.evaluate<string[]>(LIST_STORED_NAMES);
  assert.equal(stored.length, contents.size, 'a failed archive takes no room');
  const names: string[] = [];
  page.on('download', (download) => names.push(download.suggestedFilename()));
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save all' }).tap();
  const found = await readBack(await readFile(await (await downloading).path()));
  assert.deepEqual(new Map(found.map(({ entry, bytes }) => [entry.fileName, bytes.toString()])), contents);
  await page.getByText('saving all files as “Notes.zip”').waitFor();
  assert.deepEqual(names, ['Notes.zip']);
});

/** A browser that reads the second of the received files when the test says. */
const SECOND_FILE_WAITS = `
  const opened = new Promise((resolve) => (window.openGate = resolve));
  const getFile = FileSystemFileHandle.prototype.getFile;
  FileSystemFileHandle.prototype.getFile = async function () {
    if (this.name === '1') await opened;
    return getFile.call(this);
  };
`;

test(
  'the page can be left while an archive is made, and the browser asks before the archive is lost',
  inFull,
  async () => {
    const files = ['a.bin', 'b.bin'].map((name) => path.join(folder, name));
    for (const file of files) await makeRandomFile(file, MIB);
    const carol = await holdall.register('carol');
    const sender = await visit();
    await chooseFiles(sender.page, 'Choose files', files);
    const code = await readCode(sender.page);
    const receiver = await visit({ scripts: [WITHOUT_PICKERS, SECOND_FILE_WAITS], address: '/login' });
    const { page } = await receiver.logIn(carol, `/transfer/${code}`);
    const tryToClose = async () => {
      const asking = page.waitForEvent('dialog');
      await page.close({ runBeforeUnload: true });
      const dialog = await asking;
      assert.equal(dialog.type(), 'beforeunload');
      await dialog.dismiss();
    };
    await page.getByRole('button', { name: 'Receive', exact: true }).click();
    const half = page
      .getByRole('progressbar', { name: 'Packing progress' })
      .and(page.locator('[aria-valuenow="50"]'));
    await half.waitFor();
    await tryToClose();
    await page.getByRole('link', { name: 'My files' }).click();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await tryToClose();
    await page.getByRole('link', { name: 'Quick transfer' }).click();
    await half.waitFor();
    const downloading = page.waitForEvent('download');
    await page.evaluate('openGate()');
    assert.equal((await downloading).suggestedFilename(), 'Transfer.zip');
    await page.getByText('saving all files as “Transfer.zip”').waitFor();
  },
);

test('cancelling ends the transfer on both sides', inFull, async () => {
  const file = path.join(folder, 'long.bin');
  await makeRandomFile(file, 60 * MIB);
  const sender = await visit();
  await chooseFiles(sender.page, 'Choose files', file);
  const address = `/transfer/${await readCode(sender.page)}`;
  // The disk accepts no bytes, so the transfer does not complete before it is cancelled.
  const receiver = await visit({ scripts: [WITHOUT_PICKERS, WITH_FOLDER_PICKER], address });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await sender.page.getByRole('heading', { name: 'Sending to the other person' }).waitFor();
  await receiver.page.getByRole('button', { name: 'Cancel' }).click();
  await receiver.page.getByText('You cancelled the transfer.').waitFor();
  await sender.page.getByText('The other person cancelled the transfer.').waitFor();
  await checkAccessible(sender);
  await sender.page.getByRole('button', { name: 'Send something else' }).click();

  await chooseFiles(sender.page, 'Choose files', file);
  await receiver.page.goto(`/transfer/${await readCode(sender.page)}`);
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await sender.page.getByRole('heading', { name: 'Sending to the other person' }).waitFor();
  await sender.page.getByRole('button', { name: 'Cancel' }).click();
  await receiver.page.evaluate('openGate()');
  await receiver.page.getByText('The sender ended the transfer, or it expired.').waitFor();
});

test('received files can be imported into the drive', async () => {
  const file = path.join(folder, 'letter.txt');
  await makeFolder(folder, new Map([['letter.txt', 'Dear Bob']]));
  assert.equal((await stat(file)).size, 8);
  const bob = await holdall.register('bob');
  const sender = await visit();
  await chooseFiles(sender.page, 'Choose files', file);
  const code = await readCode(sender.page);
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: '/login' });
  await receiver.logIn(bob, `/transfer/${code}`);
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await receiver.page.getByRole('heading', { name: 'Received' }).waitFor();
  await receiver.page.getByRole('button', { name: 'Save to my drive' }).click();
  await receiver.page.getByRole('dialog').getByRole('button', { name: 'Documents' }).click();
  await receiver.page.getByRole('button', { name: 'Save here' }).click();
  await receiver.page.getByRole('heading', { name: 'Saved 1 file to “Documents”' }).waitFor();
  await bob.logIn();
  assert.deepEqual(await bob.names('/Documents'), ['letter.txt']);
});
