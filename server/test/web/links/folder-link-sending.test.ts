// tier: full
// runs on: sqlite
// needs: browser, disk
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import type { FolderLinkRecord } from '../../../src/app/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { DeskFiles } from '../../support/web/upload-page.ts';
import type { VisitOptions } from '../../support/web/visits.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const desk = await DeskFiles.begin();
const alice = await holdall.register('alice');

let visits: Visit[] = [];
afterEach(async () => {
  for (const visit of visits) visit.checkClean();
  visits = [];
});

async function open(
  path: string,
  mode: string,
  { password, ...options }: VisitOptions & { readonly password?: string } = {},
): Promise<{ visit: Visit; link: FolderLinkRecord }> {
  const directoryId = (await alice.mkdir(path)).id;
  const link = await alice.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', {
    body: { directoryId, mode, password },
  });
  const visit = await Visit.begin(browser, holdall, options);
  visits.push(visit);
  await visit.page.goto(`/f/${link.token}`);
  return { visit, link };
}

/** Drops a folder with a file, and with two that the browser cannot read. */
function dropUnreadable(page: Page): Promise<void> {
  return page.evaluate(() => {
    const file = (name: string, read: boolean) => ({
      name,
      isFile: true,
      isDirectory: false,
      file: (resolve: (file: File) => void, reject: () => void) =>
        read ? resolve(new File(['read'], name)) : reject(),
    });
    const left = [file('locked.txt', false), file('open.txt', true), file('secret.txt', false)];
    const entry = {
      name: 'Desk',
      isFile: false,
      isDirectory: true,
      createReader: () => ({ readEntries: (give: (entries: unknown[]) => void) => give(left.splice(0)) }),
    };
    const transfer = { types: ['Files'], items: [{ kind: 'file', webkitGetAsEntry: () => entry }] };
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true });
    Object.defineProperty(drop, 'dataTransfer', { value: transfer });
    document.body.dispatchEvent(drop);
  });
}

/** The processor time that the page's thread has taken. */
async function readTaskSeconds(tools: CDPSession): Promise<number> {
  const { metrics } = await tools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? assert.fail();
}

test('ten thousand files are added at once, and the page still answers', async () => {
  const { visit } = await open('/Many', 'UPLOAD');
  const { page } = visit;
  // The requests of the first three never end, so no file is actually sent.
  await page.route('**/tus', () => undefined);
  await page.locator('input[name=files]').evaluate((input) => {
    const transfer = new DataTransfer();
    for (let index = 0; index < 10_000; index += 1)
      transfer.items.add(new File(['x'], `photo ${String(index).padStart(5, '0')}.jpg`));
    (input as HTMLInputElement).files = transfer.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await page.getByText('0 of 10,000 files sent').waitFor();
  const list = page.getByRole('list', { name: 'Files you sent' });
  const rows = () => list.getByRole('listitem').count();
  assert.ok((await rows()) < 40, `${await rows()} rows`);
  const tools = await visit.openTools();
  await tools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await readTaskSeconds(tools);
  await page.getByLabel('Your name (optional)').fill('Grandma');
  const seconds = (await readTaskSeconds(tools)) - before;
  assert.ok(seconds < 2, `typing takes ${seconds} s of the page's processor time`);
  await list.locator('..').evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await list.getByText('photo 09999.jpg').waitFor();
  assert.ok((await rows()) < 40, `${await rows()} rows`);
  await page
    .getByRole('button', { name: 'Remove photo 09999.jpg from list' })
    .or(page.getByRole('button', { name: 'Cancel photo 09999.jpg' }))
    .click();
  await page.getByText('0 of 9,999 files sent').waitFor();
  await visit.checkAccessible();
});

test('unreadable files in a dropped folder are counted and named', async () => {
  const { visit } = await open('/Dropped', 'BOTH', { colorScheme: 'dark' });
  const { page } = visit;
  await page.getByText('Drop files or folders anywhere').waitFor();
  await dropUnreadable(page);
  await page.getByText("Couldn't read 2 files").waitFor();
  const names = page.getByRole('list', { name: "Files that couldn't be read" });
  assert.deepEqual(await names.getByRole('listitem').allInnerTexts(), ['Desk/locked.txt', 'Desk/secret.txt']);
  await page.getByText('Sent 1 file to').waitFor();
  await visit.checkAccessible();
});

test('unreadable files in a folder dropped into the drive are counted and named', async () => {
  const visit = await Visit.begin(browser, holdall);
  visits.push(visit);
  const { page } = await visit.logIn(alice, '/');
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
  await dropUnreadable(page);
  const tray = page.getByRole('region', { name: 'Uploads' });
  await tray.getByText("Couldn't read 2 files").first().waitFor();
  const show = tray.getByRole('button', { name: 'Show uploads' });
  if ((await show.count()) > 0) await show.click();
  const names = tray.getByRole('list', { name: "Files that couldn't be read" });
  assert.deepEqual(await names.getByRole('listitem').allInnerTexts(), ['Desk/locked.txt', 'Desk/secret.txt']);
  await visit.checkAccessible();
  await tray.getByRole('button', { name: 'Close uploads' }).click();
  await tray.waitFor({ state: 'detached' });
});

test('changing what visitors see leaves their uploads running', async () => {
  const { visit, link } = await open('/Changed', 'BOTH');
  const { page } = visit;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/tus/*', async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.continue();
  });
  await page.locator('input[name=files]').setInputFiles([await desk.write('film.mp4', 3_000_000)]);
  const list = page.getByRole('list', { name: 'Files you sent' });
  await list.getByText('film.mp4').waitFor();
  await alice.ask('PATCH', `/api/v2/folder-links/${link.id}`, { body: { mode: 'UPLOAD' } });
  // When a visitor returns to the page after a while, the page reads the link again.
  await page.evaluate(() => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await page.getByText('is asking you for files').waitFor();
  await list.getByText('film.mp4').waitFor();
  release();
  await page.getByText('Sent 1 file to').waitFor();
  await waitFor(
    () => alice.names('/Changed'),
    (names) => names.includes('film.mp4'),
    'the film',
  );
});

test('a file that has no room while others are sent waits, says so, and is sent later', async () => {
  const { visit } = await open('/Crowded', 'UPLOAD', { ...PHONE, colorScheme: 'dark' });
  const { page } = visit;
  let isCrowded = true;
  await page.route('**/tus', async (route) => {
    if (!isCrowded) return await route.continue();
    const body = JSON.stringify({ code: 1429, msg: 'Too many right now.', data: null });
    await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body });
  });
  await page.locator('input[name=files]').setInputFiles([await desk.write('late.txt', 1_000)]);
  const list = page.getByRole('list', { name: 'Files you sent' });
  await list.getByText('This link is busy').waitFor();
  await visit.checkAccessible();
  isCrowded = false;
  await page.getByText('Sent 1 file to').waitFor();
  assert.deepEqual(await alice.names('/Crowded'), ['late.txt']);
});

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`the file beyond the limit of a link is rejected once others arrived, on ${device}`, async () => {
    const { visit, link } = await open(`/Two of ${device}`, 'UPLOAD', options);
    const { page } = visit;
    const url = `/api/v2/folder-links/${link.id}`;
    await alice.ask('PATCH', url, { body: { maxFiles: 2 } });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/tus/*', async (route) => {
      if (route.request().method() === 'PATCH') await released;
      await route.continue();
    });
    const files = await Promise.all(['a', 'b', 'c'].map((name) => desk.write(`${name}.bin`, 3_000_000)));
    await page.locator('input[name=files]').setInputFiles(files);
    const list = page.getByRole('list', { name: 'Files you sent' });
    const late = list.getByRole('listitem').filter({ hasText: 'This link is busy' });
    const refused = page.waitForResponse(
      (response) => response.status() === 429 && response.url().endsWith('/tus'),
    );
    await late.getByRole('button', { name: /^Try .\.bin again$/ }).click();
    // The other uploads have not ended, so it is rejected again.
    await refused;
    await late.waitFor();
    await visit.checkAccessible();
    const startMs = performance.now();
    release();
    await page.getByRole('alert').getByText("This link doesn't accept any more files.").waitFor();
    assert.ok(performance.now() - startMs < 50_000, 'not after the minute for which the service asks');
    await page.getByText("1 file wasn't sent").waitFor();
    assert.equal((await alice.names(`/Two of ${device}`)).length, 2);
    await visit.checkAccessible();
    await alice.ask('PATCH', url, { body: { maxFiles: 3 } });
    await page.getByRole('button', { name: 'Try all again' }).click();
    await page.getByText('Sent 3 files to').waitFor();
  });
}

test('a link that ends while files are sent says so, and offers no action that would fail', async () => {
  const { visit, link } = await open('/Ended', 'UPLOAD', PHONE);
  const { page } = visit;
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/tus/*', async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.continue();
  });
  await page.locator('input[name=files]').setInputFiles([await desk.write('film.mp4', 3_000_000)]);
  const list = page.getByRole('list', { name: 'Files you sent' });
  await list.getByText('film.mp4').waitFor();
  await alice.ask('DELETE', `/api/v2/folder-links/${link.id}`);
  release();
  await page.getByText('This link has ended.').waitFor();
  await page.getByText("1 file wasn't sent").waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try all again' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Choose files' }).count(), 0);
  await visit.checkAccessible();
});

test('a password changed while files are sent is asked for, and sending continues', async () => {
  const { visit, link } = await open('/Locked', 'UPLOAD', { ...PHONE, password: 'first words' });
  const { page } = visit;
  await page.getByLabel('Password', { exact: true }).fill('first words');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/tus/*', async (route) => {
    if (route.request().method() === 'PATCH') await released;
    await route.continue();
  });
  await page.locator('input[name=files]').setInputFiles([await desk.write('film.mp4', 3_000_000)]);
  await page.getByRole('list', { name: 'Files you sent' }).getByText('film.mp4').waitFor();
  await alice.ask('PATCH', `/api/v2/folder-links/${link.id}`, { body: { password: 'other words' } });
  release();
  await page.getByText('The password of this link has changed. Enter the new one to continue.').waitFor();
  await visit.checkAccessible();
  await page.getByLabel('Password', { exact: true }).fill('other words');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Sent 1 file to').waitFor();
  assert.deepEqual(await alice.names('/Locked'), ['film.mp4']);
});

test('a link that gets a password while files are sent says so, and sending continues', async () => {
  const { visit, link } = await open('/Closed', 'BOTH', { colorScheme: 'dark' });
  const { page } = visit;
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  await alice.ask('PATCH', `/api/v2/folder-links/${link.id}`, { body: { password: 'new words' } });
  await page.locator('input[name=files]').setInputFiles([await desk.write('note.txt', 1_000)]);
  await page.getByText('This link has a password now. Enter it to continue.').waitFor();
  await visit.checkAccessible();
  await page.getByLabel('Password', { exact: true }).fill('new words');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('Sent 1 file to').waitFor();
  assert.deepEqual(await alice.names('/Closed'), ['note.txt']);
});

test('on a phone the files being sent are shown above the buttons that choose files', async () => {
  const { visit } = await open('/Above', 'UPLOAD', { ...PHONE, colorScheme: 'dark' });
  const { page } = visit;
  await page.getByRole('button', { name: 'Choose files' }).waitFor();
  assert.equal(await page.getByText('Drop files or folders').isVisible(), false);
  await page.locator('input[name=files]').setInputFiles([await desk.write('photo.jpg', 1_000)]);
  const sent = await page.getByText('Sent 1 file to').boundingBox();
  const choose = await page.getByRole('button', { name: 'Choose files' }).boundingBox();
  assert.ok(sent && choose && sent.y < choose.y);
  await visit.checkAccessible();
});
