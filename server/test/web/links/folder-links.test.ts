// tier: default
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { FolderLinkRecord } from '../../../src/app/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { DeskFiles, toHash } from '../../support/web/upload-page.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');
const album = await alice.mkdir('/Album');
await alice.upload('/Album/a.png', makePng(640, 480), 'image/png');
await alice.upload('/Album/b.png', makePng(480, 640), 'image/png');
await alice.upload('/Album/notes.txt', 'What we did', 'text/plain');
await alice.upload('/Album/More/c & d.txt', 'below', 'text/plain');

let visits: Visit[] = [];
afterEach(() => {
  for (const visit of visits) visit.checkClean();
  visits = [];
});

async function begin(options: BrowserContextOptions = {}): Promise<Visit> {
  const visit = await Visit.begin(browser, holdall, options);
  visits.push(visit);
  return visit;
}

const link = (body: object) =>
  alice.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', { body: { directoryId: album.id, ...body } });

/** A visitor without an account, on the page of a link. */
async function open({ token }: FolderLinkRecord, options: BrowserContextOptions = {}): Promise<Visit> {
  const visit = await begin(options);
  await visit.page.goto(`/f/${token}`);
  return visit;
}

/** The SHA-256 of a file of the owner. */
async function hashOf(path: string): Promise<string> {
  const entry = (await alice.tree()).find((found) => found.path === path);
  assert.ok(entry, path);
  return toHash(await alice.download(entry));
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function download(page: Page, name: string): Promise<{ name: string; content: Buffer }> {
  const [begun] = await Promise.all([page.waitForEvent('download'), button(page, name).click()]);
  return { name: begun.suggestedFilename(), content: await readFile(await begun.path()) };
}

describe('the owner of a folder', () => {
  test('creates a link, sees it in the list, changes and ends it', async () => {
    const owner = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = await owner.logIn(alice, `/shared?file=${album.id}`);
    await page.getByText('View and download everything').waitFor();
    await page.getByText('Both', { exact: true }).click();
    await page.getByLabel('File limit').fill('3');
    await page.getByLabel('Size limit').fill('20');
    assert.equal(await page.getByLabel('Size limit').inputValue(), '20 MB');
    await page.getByLabel('Note for visitors').fill('Please add yours.');
    await owner.checkAccessible();
    await button(page, 'Create link').click();
    await page.getByText('The link is ready.').waitFor();
    const address = await page.getByLabel('Link', { exact: true }).inputValue();
    assert.match(address, /\/f\/[\w-]{22}$/);
    await owner.checkAccessible();

    await page.goto('/shared');
    await page.getByRole('heading', { name: 'Links to folders', exact: true }).waitFor();
    await page.getByText('0 of 3 files received').waitFor();
    await page.getByText('View and upload').waitFor();
    await owner.checkAccessible();
    await button(page, 'More about Album').click();
    await owner.checkAccessible();
    await page.getByRole('menuitem', { name: 'Change…' }).click();
    assert.equal(await page.getByLabel('Note for visitors').inputValue(), 'Please add yours.');
    await page.getByLabel('Title').fill('Our album');
    await button(page, 'Save changes').click();
    await page.getByText('Our album', { exact: true }).waitFor();
    await button(page, 'More about Our album').click();
    await page.getByRole('menuitem', { name: 'Stop sharing' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Our album', { exact: true }).waitFor({ state: 'detached' });
    const visitor = await begin();
    await visitor.page.goto(address);
    await heading(visitor.page, "This link doesn't work").waitFor();
  });
});

test('the root of the drive can be linked', inFull, async () => {
  const bob = await holdall.register('bob');
  await bob.upload('/at the top.txt', 'x', 'text/plain');
  const owner = await begin();
  const { page } = await owner.logIn(bob, '/shared');
  await button(page, 'Share whole drive').click();
  await button(page, 'Create link').click();
  await page.getByText('The link is ready.').waitFor();
  await owner.checkAccessible();
  const address = await page.getByLabel('Link', { exact: true }).inputValue();
  const visitor = await begin();
  await visitor.page.goto(address);
  await visitor.page.getByText('at the top.txt').waitFor();
});

test('the list of links marks one whose folder is in the bin, and can end it', inFull, async () => {
  const folder = await alice.mkdir('/Thrown away');
  const made = await link({ directoryId: folder.id, mode: 'VIEW' });
  await alice.recycle(folder);
  const owner = await begin();
  const { page } = await owner.logIn(alice, '/shared');
  const row = page.getByRole('listitem').filter({ hasText: 'Thrown away' });
  await row.getByText('In bin').waitFor();
  await row.getByRole('button', { name: 'More about Thrown away' }).click();
  const stop = row.getByRole('menuitem', { name: 'Stop sharing' });
  await stop.waitFor();
  for (const name of ['Change…', 'Show in my files']) {
    assert.equal(await row.getByRole('menuitem', { name }).count(), 0, name);
  }
  await stop.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop sharing' }).click();
  await row.waitFor({ state: 'detached' });
  await alice.restore(folder);
  assert.equal((await alice.call('GET', `/api/v2/folder-links/${made.token}`)).status, 404);
});

describe('a visitor of a view-only link', () => {
  for (const [device, options] of [
    ['laptop', {}],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const) {
    test(`sees the folder and its files on a ${device}`, device === 'laptop' ? {} : inFull, async () => {
      const visit = await open(await link({ mode: 'VIEW', note: 'From our trip.' }), options);
      const { page } = visit;
      await heading(page, 'Album').waitFor();
      await page.getByText('From our trip.').waitFor();
      const entries = page.getByRole('region', { name: 'Files and folders' });
      await entries.getByText('notes.txt').waitFor();
      await page.getByText('4 items').waitFor();
      await visit.checkAccessible();
      await button(page, 'Grid view').click();
      await entries.getByText('a.png').waitFor();
      await visit.checkAccessible();

      await entries.getByRole('button', { name: 'a.png', exact: true }).click();
      const picture = page.getByRole('dialog').getByRole('img', { name: 'a.png' });
      await picture.waitFor();
      await waitFor(
        () => picture.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth),
        (width) => width === 640,
        'the picture',
      );
      await visit.checkAccessible();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('dialog', { name: 'b.png' }).waitFor();
      await page.keyboard.press('ArrowRight');
      await page.getByRole('dialog').getByText('What we did').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });

      await entries.getByRole('link', { name: 'More' }).click();
      await entries.getByText('c & d.txt').waitFor();
      await page.reload();
      await entries.getByText('c & d.txt').waitFor();
      await page.getByRole('navigation', { name: 'Path' }).getByRole('link', { name: 'Album' }).click();
      await entries.getByText('notes.txt').waitFor();
    });
  }

  test('downloads one file, several, and everything', inFull, async () => {
    const { page } = await open(await link({ mode: 'VIEW' }));
    const one = await download(page, 'Download notes.txt');
    assert.deepEqual([one.name, one.content.toString()], ['notes.txt', 'What we did']);
    await page.getByRole('checkbox', { name: 'Select a.png' }).check();
    await page.getByRole('checkbox', { name: 'Select More' }).check();
    const some = await download(page, 'Download 2 selected');
    assert.match(some.name, /^(?:a\.png and More|More and a\.png)\.zip$/);
    for (const name of ['a.png', 'More/c & d.txt']) assert.ok(some.content.includes(name), name);
    assert.ok(!some.content.includes('notes.txt'));
    await button(page, 'Clear selection').click();
    const all = await download(page, 'Download all');
    assert.equal(all.name, 'Album.zip');
    for (const name of ['a.png', 'b.png', 'notes.txt', 'More/c & d.txt']) {
      assert.ok(all.content.includes(name), name);
    }
  });

  test('downloads a selection whose names are too long for an address', inFull, async () => {
    const directory = await alice.mkdir('/Long names');
    const names = Array.from({ length: 12 }, (_, index) => `${'图'.repeat(80)}${index}.txt`);
    for (const name of names) await alice.upload(`/Long names/${name}`, name, 'text/plain');
    const { page } = await open(await link({ directoryId: directory.id, mode: 'VIEW' }));
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
    const all = await download(page, 'Download 12 selected');
    assert.match(all.name, /^图{30} and 11 more\.zip$/);
    for (const name of names) assert.ok(all.content.includes(name), name);
  });

  test('sorts the entries', inFull, async () => {
    const { page } = await open(await link({ mode: 'VIEW' }));
    const names = () =>
      page
        .getByRole('region')
        .getByRole('listitem')
        .allInnerTexts()
        .then((texts) => texts.join());
    await waitFor(names, (text) => /a\.png.*b\.png/s.test(text), 'the order by name');
    await page.getByLabel('Order').selectOption('Newest first');
    await waitFor(names, (text) => /notes\.txt.*b\.png.*a\.png/s.test(text), 'the newest first');
  });

  test('enters the password, and is told when a link has expired', inFull, async () => {
    const visit = await open(await link({ mode: 'VIEW', password: 'open sesame' }));
    const { page } = visit;
    await heading(page, 'A password protects this link').waitFor();
    assert.ok(!(await page.locator('body').innerText()).includes(alice.username));
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await button(page, 'Open').click();
    await page.getByText('Wrong password.').waitFor();
    await visit.checkAccessible();
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await button(page, 'Open').click();
    await page.getByText('notes.txt').waitFor();
    const expiresAt = new Date(holdall.clock.now() + 60_000).toISOString();
    const soon = await link({ mode: 'VIEW', expiresAt });
    holdall.clock.advance(60_001);
    await page.goto(`/f/${soon.token}`);
    await heading(page, 'This link has expired').waitFor();
  });
});

describe('a visitor of an upload-only link', () => {
  for (const [device, options] of [
    ['laptop', {}],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const) {
    test(
      `sends files from a ${device}, and sees nothing else`,
      device === 'laptop' ? {} : inFull,
      async () => {
        const inbox = await alice.mkdir(`/Inbox of a ${device}`);
        const made = await link({
          directoryId: inbox.id,
          mode: 'UPLOAD',
          note: 'Your pictures, please.',
          maxFiles: 4,
        });
        await alice.upload(`${inbox.path}/small.txt`, 'of the owner', 'text/plain');
        const visit = await open(made, options);
        const { page } = visit;
        await page.getByText('Up to 4 more files').waitFor();
        await page.getByText('Your pictures, please.').waitFor();
        assert.equal(await button(page, 'Take photo').count(), device === 'phone' ? 1 : 0);
        await visit.checkAccessible();
        await page.getByLabel('Your name (optional)').fill('Grandma');
        await page
          .locator('input[name=files]')
          .setInputFiles([await desk.write('small.txt', 500), await desk.write('large.bin', 3_000_000)]);
        await page.getByText('Sent 2 files to').waitFor();
        await page.getByText('Up to 2 more files').waitFor();
        await visit.checkAccessible();
        const names = (await alice.list(inbox.path)).items.map(({ filename }) => filename).sort();
        assert.deepEqual(names, ['large.bin', 'small (2).txt', 'small.txt']);
        assert.equal(await hashOf(`${inbox.path}/large.bin`), desk.hashes.get('large.bin'));
        assert.equal(await page.getByText('of the owner').count(), 0);
        await page.reload();
        assert.equal(await page.getByLabel('Your name (optional)').inputValue(), 'Grandma');
      },
    );
  }

  test('is told when the link accepts no more files, and retries one', inFull, async () => {
    const inbox = await alice.mkdir('/Full');
    const made = await link({ directoryId: inbox.id, mode: 'UPLOAD', maxFiles: 1 });
    const visit = await open(made);
    const { page } = visit;
    await page
      .locator('input[name=files]')
      .setInputFiles([await desk.write('one.txt', 10), await desk.write('two.txt', 10)]);
    const retry = page.getByRole('button', { name: /^Try (one|two)\.txt again$/ });
    await retry.waitFor();
    await visit.checkAccessible();
    await alice.ask('PATCH', `/api/v2/folder-links/${made.id}`, { body: { maxFiles: 2 } });
    await retry.click();
    await page.getByText('Sent 2 files to').waitFor();
    await page.getByText("This link doesn't accept any more files.").waitFor();
    await visit.checkAccessible();
  });

  test('continues an upload after a reload where it stopped', inFull, async () => {
    const inbox = await alice.mkdir('/Resumed');
    const made = await link({ directoryId: inbox.id, mode: 'UPLOAD' });
    const visit = await open(made);
    const { page } = visit;
    const file = await desk.write('long.bin', 80_000_000);
    const cdp = await visit.context.newCDPSession(page);
    await cdp.send('Network.enable');
    // The first part of the file arrives, and no further one.
    await cdp.send('Network.setBlockedURLs', { urls: ['*/tus/*'] });
    await page.locator('input[name=files]').setInputFiles([file]);
    await page.getByText('Waiting for connection').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("1 file from your last visit wasn't sent completely").waitFor();
    await visit.checkAccessible();
    await cdp.send('Network.setBlockedURLs', { urls: [] });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.locator('input[name=files]').setInputFiles([file]);
    await page.getByText('Sent 1 file to').waitFor();
    assert.ok(
      sent.some((request) => request.startsWith('HEAD /')),
      sent.join(),
    );
    assert.ok(!sent.some((request) => /^POST .*tus$/.test(request)), sent.join());
    assert.equal(await hashOf('/Resumed/long.bin'), desk.hashes.get('long.bin'));
  });
});

test(
  'a visitor of a link for viewing and uploading adds files and folders, and sees them',
  inFull,
  async () => {
    const common = await alice.mkdir('/Common');
    await alice.mkdir('/Common/Day 1');
    const visit = await open(await link({ directoryId: common.id, mode: 'BOTH' }));
    const { page } = visit;
    await page.getByRole('link', { name: 'Day 1' }).click();
    await page.getByText('This folder is empty').waitFor();
    await visit.checkAccessible();
    await page.locator('input[name=files]').setInputFiles([await desk.write('x.txt', 20)]);
    await page.getByRole('region', { name: 'Files and folders' }).getByText('x.txt').waitFor();
    await desk.write('Tour/deep/y.txt', 20);
    await desk.write('Tour/z.txt', 20);
    await page.locator('input[name=folder]').setInputFiles(`${desk.root}/Tour`);
    await page
      .getByRole('region', { name: 'Files and folders' })
      .getByRole('link', { name: 'Tour' })
      .waitFor();
    await waitFor(
      async () => (await alice.tree()).map(({ path }) => path),
      (paths) =>
        ['/Common/Day 1/x.txt', '/Common/Day 1/Tour/deep/y.txt'].every((path) => paths.includes(path)),
      'the files in their folders',
    );
  },
);
