// tier: default
// runs on: s3
// needs: browser, disk
// Uploads from the browser to the store: in parts, in one piece, and under the page's Content-Security-
// Policy.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { runCommand } from '../../support/app/command.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { changePolicy } from '../../support/storage/change-policy.ts';
import { createTestBucket } from '../../support/storage/test-storage.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { DeskFiles, hashOf, UploadPage } from '../../support/web/upload-page.ts';
import { Visit } from '../../support/web/web-visit.ts';

const MB = 1_000_000;
const CHUNK = 8 * 1024 * 1024;

// CORS rules belong to a whole bucket, and other files need other rules.
const storage = await createTestBucket();
const [holdall, browser, desk] = await Promise.all([
  startHoldall({ storage }),
  startBrowser({ isShared: false }),
  DeskFiles.begin(),
]);
const alice = await holdall.register('alice');
await alice.ask('PUT', '/api/user/profile', { body: { displayName: 'Alice' } });
const { origin: store } = new URL(holdall.storage.env.HOLDALL_S3_ENDPOINT ?? '');
const cors = await runCommand(holdall.storage.env, ['storage', 'cors', holdall.url]);
assert.equal(cors.code, 0, cors.complained.join());
let visit: Visit;
let uploads: UploadPage;

afterEach(async () => {
  await leave();
  visit.checkClean();
  await checkBooks(holdall);
});

async function enter(): Promise<void> {
  visit = await Visit.begin(browser, holdall, { origins: [store] });
  await visit.logIn(alice, '/drive/Documents');
  uploads = new UploadPage(visit.page);
  await uploads.waitFor();
}

async function leave(): Promise<void> {
  await uploads.leave();
  await visit.end();
}

/** The part numbers of the requests to the store. */
function watchParts(page: Page): readonly number[] {
  const parts: number[] = [];
  page.on('request', (request) => {
    const number = new URL(request.url()).searchParams.get('partNumber');
    if (request.method() === 'PUT' && number !== null) parts.push(Number(number));
  });
  return parts;
}

test('a large file is sent to the store in concurrent parts', async () => {
  const file = await desk.write('large.bin', 5 * CHUNK + 1_000);
  await enter();
  const parts = watchParts(visit.page);
  await uploads.pick(file);
  await uploads.says('1 file uploaded');
  assert.deepEqual(parts.toSorted(), [1, 2, 3, 4, 5, 6]);
  assert.equal(await hashOf(alice, '/Documents/large.bin'), desk.hash('large.bin'));
});

test('a reload in the middle sends only the missing parts', inFull, async () => {
  const file = await desk.write('reloaded.bin', 5 * CHUNK + 1_000);
  await enter();
  await uploads.limit(12 * MB);
  // Four are sent at a time; the fifth is the short last one.
  let recorded = 0;
  const fifth = visit.page.waitForResponse((response) => {
    if (/\/parts\/\d+$/.test(response.url()) && response.ok()) recorded += 1;
    return recorded === 5;
  });
  await uploads.pick(file);
  await uploads.open();
  await fifth;
  await visit.page.reload();
  await uploads.limit(undefined);
  await uploads.says('1 upload was interrupted');
  const parts = watchParts(visit.page);
  const [chooser] = await Promise.all([
    visit.page.waitForEvent('filechooser'),
    uploads.press('Choose files'),
  ]);
  await chooser.setFiles(file);
  await uploads.says('1 file uploaded');
  assert.ok(parts.length > 0 && parts.length < 4, `${parts.length} of 6 were sent again`);
  assert.equal(await hashOf(alice, '/Documents/reloaded.bin'), desk.hash('reloaded.bin'));
});

test('only a part whose connection breaks is sent again', inFull, async () => {
  const file = await desk.write('broken.bin', 3 * CHUNK);
  await enter();
  let broken = 0;
  const parts = watchParts(visit.page);
  await visit.page.route(/partNumber=2&/, (route) => {
    if (broken > 0 || route.request().method() !== 'PUT') return route.continue();
    broken += 1;
    return route.abort('connectionreset');
  });
  await uploads.pick(file);
  await uploads.says('1 file uploaded');
  assert.deepEqual(parts.toSorted(), [1, 2, 2, 3]);
  assert.equal(await hashOf(alice, '/Documents/broken.bin'), desk.hash('broken.bin'));
});

test('a cancelled upload leaves nothing in the store', inFull, async () => {
  const file = await desk.write('cancelled.bin', 3 * CHUNK);
  await enter();
  await uploads.limit(4 * MB);
  await uploads.pick(file);
  await uploads.open();
  await uploads
    .row('cancelled.bin')
    .getByText(/^[1-9].* MB of/)
    .waitFor();
  const dropped = visit.page.waitForResponse((response) => response.request().method() === 'DELETE');
  await uploads.press('Cancel cancelled.bin');
  assert.ok((await dropped).ok());
  await uploads.tray.waitFor({ state: 'detached' });
  assert.ok(!(await alice.names('/Documents')).includes('cancelled.bin'));
});

test('the same file is sent in one piece, or through the service, as the policy says', inFull, async () => {
  const file = await desk.write('same.bin', 12 * MB);
  for (const [index, change] of ([{ multipart_upload: 0 }, { direct_upload: 0 }] as const).entries()) {
    await changePolicy(holdall, change);
    await enter();
    const methods: string[] = [];
    visit.page.on('request', (request) => {
      if (['PUT', 'PATCH'].includes(request.method())) methods.push(request.method());
    });
    await uploads.pick(file);
    if (index > 0) {
      await visit.page.getByRole('dialog').getByRole('button', { name: 'Keep both' }).click();
    }
    await uploads.says('1 file uploaded');
    assert.deepEqual(methods, [index === 0 ? 'PUT' : 'PATCH']);
    await leave();
  }
  for (const name of ['same.bin', 'same (2).bin']) {
    assert.equal(await hashOf(alice, `/Documents/${name}`), desk.hash('same.bin'));
  }
});
