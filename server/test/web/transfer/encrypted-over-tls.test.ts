// tier: full
// runs on: sqlite
// needs: browser, nginx
// Encrypted transfers over HTTP/2 and TLS, through a real nginx with the example configuration.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { makeCertificate } from '../../../../tools/programs/example-nginx.ts';
import { listBuffered, startExampleNginx } from '../../support/app/behind-nginx.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import {
  checkAccessible,
  chooseFiles,
  encrypt,
  hashFile,
  makeRandomFile,
  readCode,
  readSecret,
  visitTransfer,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));
const holdall = await startHoldall();
const nginx = await startExampleNginx({
  upstreamPorts: [Number(new URL(holdall.url).port)],
  dataDir: holdall.dataDir,
  certificate: await makeCertificate(folder),
});
const baseURL = nginx.url.replace('http:', 'https:');
const browser = await startBrowser({ isShared: false });

/** The directories in which this page keeps files until it is closed. */
const LIST_KEPT_DIRECTORIES = `(async () => {
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
})()`;

test('a file is sent while it is encrypted, without a copy on disk, and arrives', async () => {
  const file = path.join(folder, 'holiday.mov');
  const hash = await makeRandomFile(file, 30_000_000);
  const options = { baseURL, origins: [baseURL], ignoreHTTPSErrors: true };
  const alice = await holdall.register('alice');
  const sender = await visitTransfer(browser, holdall, { ...options, address: '/login' });
  await sender.logIn(alice, '/transfer');
  await sender.page.getByText('Store for 7 days').click();
  await encrypt(sender.page);
  const sending = sender.page.waitForRequest((request) => request.method() === 'PATCH');
  await chooseFiles(sender.page, 'Choose files', file);
  await sending;
  await sender.page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
  assert.deepEqual(await sender.page.evaluate(LIST_KEPT_DIRECTORIES), []);
  assert.deepEqual(await listBuffered(nginx), []);
  await checkAccessible(sender);

  const address = `/transfer/${await readCode(sender.page)}#${await readSecret(sender.page)}`;
  const receiver = await visitTransfer(browser, holdall, { ...options, scripts: [WITHOUT_PICKERS], address });
  const downloading = receiver.page.waitForEvent('download');
  await receiver.page.getByRole('button', { name: 'Download', exact: true }).click();
  assert.equal(await hashFile(await (await downloading).path()), hash);
  await checkAccessible(receiver);
  sender.checkClean();
  receiver.checkClean();
});

test('a file that disappears before it is sent is named as the reason', async () => {
  const file = path.join(folder, 'gone.mov');
  await makeRandomFile(file, 30_000_000);
  const bob = await holdall.register('bob');
  const options = { baseURL, origins: [baseURL], ignoreHTTPSErrors: true };
  const sender = await visitTransfer(browser, holdall, { ...options, address: '/login' });
  await sender.logIn(bob, '/transfer');
  await sender.page.getByText('Store for 7 days').click();
  await encrypt(sender.page);
  await sender.page.route('**/api/transfer/sessions', async (route) => {
    await rm(file);
    await route.continue();
  });
  await chooseFiles(sender.page, 'Choose files', file);
  await sender.page.getByText('A file changed or disappeared while it was being sent.').waitFor();
  await checkAccessible(sender);
});
