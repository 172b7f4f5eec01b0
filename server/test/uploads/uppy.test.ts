// tier: full
// runs on: s3
// needs: browser
// The example of examples/uppy in a real browser, from another origin. The service allows the origin by
// HOLDALL_CORS_ORIGINS, the bucket by `holdall storage cors`. With page.route, Playwright answers preflights
// itself, so only the tests without it test CORS.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { PASSWORD } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { changePolicy } from '../support/storage/change-policy.ts';
import { startBrowser } from '../support/web/browser.ts';
import { serveUppyExample, UppyPage } from '../support/web/uppy-page.ts';

const MB = 1_000_000;
const PARTS = /partNumber=/;

const origin = await serveUppyExample();
const [holdall, browser] = await Promise.all([
  startHoldall({ env: { HOLDALL_CORS_ORIGINS: origin } }),
  startBrowser(),
]);
const alice = await holdall.register('alice');
// Uses a mobile client, because a login on a desktop ends the other desktop logins.
await alice.logIn(PASSWORD, 'mobile');
let page: Page;
let uppy: UppyPage;

beforeEach(async () => {
  page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(origin);
  uppy = new UppyPage(page, alice);
});
afterEach(() => page.close());

test('a bucket rejects the page until the command has allowed its origin', async () => {
  const [hash] = await uppy.upload('/cors', { 'first.bin': 100_000 });
  assert.match(await uppy.result(), /^0 uploaded, 1 failed, first\.bin: .*network/i);
  const { code, complained } = await runCommand(holdall.storage.env, ['storage', 'cors', origin]);
  assert.equal(code, 0, complained.join());
  await uppy.click('Retry');
  assert.equal(await uppy.result(), '1 uploaded, 0 failed');
  assert.deepEqual(await readHashes('/cors'), [['first.bin', hash]]);
});

test('files of many parts are sent to the store concurrently, with the right bytes', async () => {
  const [large, small] = await uppy.upload('/large', { 'large.bin': 30 * MB, 'small.bin': 9 * MB });
  assert.equal(await uppy.result(), '2 uploaded, 0 failed');
  await uppy.reach(100);
  assert.deepEqual(await readHashes('/large'), [
    ['large.bin', large],
    ['small.bin', small],
  ]);
});

test('a cancelled upload leaves no open session and nothing in the store', async () => {
  const waiting: Route[] = [];
  // The first part succeeds, the second hangs.
  await page.route(PARTS, (route, request) =>
    /partNumber=1&/.test(request.url()) ? route.continue() : waiting.push(route),
  );
  await uppy.upload('/cancelled', { 'cancelled.bin': 9 * MB });
  await uppy.reach(40);
  assert.equal(await countOpenSessions(), 1);
  await uppy.click('Cancel');
  assert.equal(await uppy.result(), '0 uploaded, 0 failed');
  await waitUntil('the session ended', async () => (await countOpenSessions()) === 0);
  // The store is cleaned up after the session's end is committed.
  await waitUntil('the store was cleaned up', async () => {
    const stored = await holdall.storage.list(holdall.dataDir);
    return !stored.some((name) => name.includes('(upload '));
  });
  assert.ok(!(await alice.names()).includes('cancelled'));
});

test('a part whose connection breaks once is sent again', async () => {
  let broken = 0;
  await page.route(PARTS, (route, request) => {
    if (broken > 0 || !/partNumber=2&/.test(request.url())) return route.continue();
    broken += 1;
    return route.abort('connectionreset');
  });
  const [hash] = await uppy.upload('/broken', { 'broken.bin': 9 * MB });
  assert.equal(await uppy.result(), '1 uploaded, 0 failed');
  await uppy.reach(100);
  assert.equal(broken, 1);
  assert.deepEqual(await readHashes('/broken'), [['broken.bin', hash]]);
});

test('a retry sends only the missing parts', async () => {
  const sent: (string | undefined)[] = [];
  let isDown = true;
  await page.route(PARTS, (route, request) => {
    const number = /partNumber=(\d+)/.exec(request.url())?.[1];
    if (isDown && number !== '1') return route.abort('connectionreset');
    sent.push(number);
    return route.continue();
  });
  const [hash] = await uppy.upload('/retried', { 'retried.bin': 9 * MB });
  assert.match(await uppy.result(), /^0 uploaded, 1 failed/);
  isDown = false;
  await uppy.click('Retry');
  assert.equal(await uppy.result(), '1 uploaded, 0 failed');
  assert.deepEqual(sent, ['1', '2']);
  assert.deepEqual(await readHashes('/retried'), [['retried.bin', hash]]);
});

test('the same page uploads through the service, or to the store in one request', async () => {
  const sizes = { 'empty.bin': 0, 'one.bin': 9 * MB };
  for (const [directory, change] of [
    ['/single', { multipart_upload: 0 }],
    ['/proxy', { direct_upload: 0 }],
  ] as const) {
    await changePolicy(holdall, change);
    const [empty, one] = await uppy.upload(directory, sizes);
    assert.equal(await uppy.result(), '2 uploaded, 0 failed');
    assert.deepEqual(await readHashes(directory), [
      ['empty.bin', empty],
      ['one.bin', one],
    ]);
  }
});

test('a file that Holdall rejects is reported, and does not block the others', async () => {
  await alice.mkdir('/refused');
  await alice.upload('/refused/taken.bin', 'mine');
  await uppy.upload('/refused', { 'taken.bin': 1_000, 'free.bin': 1_000 });
  assert.match(await uppy.result(), /^1 uploaded, 1 failed, taken\.bin: .*taken/);
  assert.deepEqual(await alice.names('/refused'), ['free.bin', 'taken.bin']);
  assert.equal(await countOpenSessions(), 0);
});

test('the books balance after all of these tests', () => checkBooks(holdall));

/** The name of every file in a directory, and the SHA-256 of its download. */
async function readHashes(directory: string) {
  const { items } = await alice.list(directory);
  return await Promise.all(
    items.map(async (file: EntryRecord) => [
      file.filename,
      createHash('sha256')
        .update(await alice.download(file))
        .digest('hex'),
    ]),
  );
}

async function countOpenSessions(): Promise<number> {
  const rows = await holdall.app.database.db
    .selectFrom('upload_session')
    .select('id')
    .where('status', 'in', ['CREATED', 'UPLOADING', 'COMPLETING'])
    .execute();
  return rows.length;
}
