// tier: default
// runs on: sqlite
// needs: browser
// Transfers through the service: without a direct connection, or by the user's choice.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { Person } from '../../support/app/person.ts';
import {
  checkAccessible,
  chooseFiles,
  hashFile,
  makeFolder,
  makeRandomFile,
  readCode,
  visitTransfer,
  WITHOUT_DIRECT_WAY,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';
import { readBack } from '../../support/zip/zip-reading.ts';

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const alice = await holdall.register('alice');
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

async function visitAs(person: Person, scripts: string[] = []): Promise<Visit> {
  const made = await visit({ scripts, address: '/login' });
  return await made.logIn(person, '/transfer');
}

test('without a direct connection one click, or none, continues through the service', inFull, async () => {
  const file = path.join(folder, 'film.mov');
  const hash = await makeRandomFile(file, 20_000_000);
  const sender = await visitAs(alice, [WITHOUT_DIRECT_WAY]);
  const bySetting = await visitAs(await holdall.register('anna'), [WITHOUT_DIRECT_WAY]);
  const receivers: Visit[] = [];
  for (const { page } of [sender, bySetting]) {
    await chooseFiles(page, 'Choose files', file);
    if (page === bySetting.page)
      await page.getByRole('switch', { name: /use the server automatically/ }).check({ force: true });
    const address = `/transfer/${await readCode(page)}`;
    const receiver = await visit({ scripts: [WITHOUT_PICKERS, WITHOUT_DIRECT_WAY], address });
    await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
    receivers.push(receiver);
  }
  const [receiver] = receivers;
  assert.ok(receiver);
  await sender.page.getByRole('heading', { name: 'No direct connection yet' }).waitFor();
  await receiver.page.getByText('If the sender stores the files on the server').waitFor();
  await checkAccessible(sender);
  await checkAccessible(receiver);
  await sender.page.getByRole('button', { name: 'Store for 7 days' }).click();
  for (const { page } of [sender, bySetting]) {
    await page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
  }
  await checkAccessible(sender);
  for (const { page } of receivers) {
    await page.getByRole('heading', { name: 'Received' }).waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save' }).click();
    assert.equal(await hashFile(await (await downloading).path()), hash);
  }
  const codes = await Promise.all([readCode(sender.page), readCode(bySetting.page)]);
  assert.deepEqual(
    receivers.map(({ page }) => new URL(page.url()).pathname),
    codes.map((code) => `/transfer/${code}`),
  );
});

test('files are stored for a week, downloaded by anyone, imported, and deleted by the sender', async () => {
  await makeFolder(
    folder,
    new Map([
      ['a.txt', 'first'],
      ['b.txt', 'second'],
    ]),
  );
  const files = ['a.txt', 'b.txt'].map((name) => path.join(folder, name));
  const sender = await visitAs(await holdall.register('carol'));
  const { page } = sender;
  await page.getByText('Store for 7 days').click();
  await chooseFiles(page, 'Choose files', files);
  await page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
  await page.getByText('Stored until').waitFor();
  const address = `/transfer/${await readCode(page)}`;
  await page.getByRole('button', { name: 'Send something else' }).click();
  const own = page.getByRole('region', { name: 'Stored for others' });
  await own.getByText('2 files').waitFor();
  await checkAccessible(sender);

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const anybody = await visit({ address, ...phone });
  await anybody.page.getByText('2 files are ready for you').waitFor();
  await checkAccessible(anybody);
  const downloading = anybody.page.waitForEvent('download');
  await anybody.page.getByRole('link', { name: 'Download b.txt' }).click();
  assert.equal((await downloading).suggestedFilename(), 'b.txt');

  const bob = await holdall.register('bob');
  const receiver = await visit({ address: '/login' });
  await receiver.logIn(bob, address);
  await receiver.page.getByRole('button', { name: 'Save to my drive' }).click();
  await receiver.page.getByRole('dialog').getByRole('button', { name: 'Documents' }).click();
  await checkAccessible(receiver);
  await receiver.page.getByRole('button', { name: 'Save here' }).click();
  await receiver.page.getByRole('heading', { name: 'Saved 2 files to “Documents”' }).waitFor();
  await bob.logIn();
  assert.deepEqual(await bob.names('/Documents'), ['a.txt', 'b.txt']);

  await own.getByRole('button', { name: 'Delete 2 files' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await own.waitFor({ state: 'detached' });
  await anybody.page.reload();
  await anybody.page.getByText('No transfer has this code').waitFor();
});

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `all files become one download if the browser cannot save into a folder, on ${device}`,
    inFull,
    async () => {
      await makeFolder(
        folder,
        new Map([
          ['a.txt', 'first'],
          ['b.txt', 'second'],
        ]),
      );
      const sender = await visitAs(await holdall.register('dora'));
      await sender.page.getByText('Store for 7 days').click();
      const files = ['a.txt', 'b.txt'].map((name) => path.join(folder, name));
      await chooseFiles(sender.page, 'Choose files', files);
      await sender.page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
      const address = `/transfer/${await readCode(sender.page)}`;
      const { page } = await visit({ scripts: [WITHOUT_PICKERS], address, ...options });
      const downloads: string[] = [];
      page.on('download', (download) => downloads.push(download.suggestedFilename()));
      const downloading = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download all' }).click();
      const archive = await readFile(await (await downloading).path());
      const found = await readBack(archive);
      assert.deepEqual(
        found.map(({ entry, bytes }) => [entry.fileName, `${bytes}`]),
        [
          ['a.txt', 'first'],
          ['b.txt', 'second'],
        ],
      );
      assert.deepEqual(downloads, ['Transfer.zip']);
    },
  );
}

test(
  'a visitor without a login is told that storing needs one, and loses nothing by logging in',
  inFull,
  async () => {
    const sender = await visit();
    await sender.page.getByText('Store for 7 days').click();
    await checkAccessible(sender);
    const opening = sender.context.waitForEvent('page');
    await sender.page.getByRole('main').getByRole('link', { name: 'Log in' }).click();
    const other = await opening;
    await other.getByLabel('Username').fill(alice.username);
    await other.getByLabel('Password', { exact: true }).fill('correct horse battery staple');
    await other.getByRole('button', { name: 'Log in' }).click();
    await sender.page.getByRole('button', { name: 'Choose files' }).waitFor();
  },
);

test('the page explains that the transfer storage is full', inFull, async () => {
  const admin = await holdall.admin();
  await admin.ask('PATCH', '/api/admin/settings/offline-transfer-storage-limit', {
    body: { offlineTransferStorageLimitBytes: 1 },
  });
  await makeFolder(folder, new Map([['a.txt', 'first']]));
  // The previous test has ended Alice's session.
  await alice.logIn();
  const sender = await visitAs(alice);
  await sender.page.getByText('Store for 7 days').click();
  await chooseFiles(sender.page, 'Choose files', path.join(folder, 'a.txt'));
  await sender.page.getByText(/^Not enough space for these files/).waitFor();
  await sender.page.getByRole('button', { name: 'Choose files' }).waitFor();
});
