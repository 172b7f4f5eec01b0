// tier: default
// runs on: sqlite
// needs: browser
// Stored transfers that the sender's page encrypts and the receiver's page decrypts.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { TransferRecord } from '../../../src/transfer/contract.ts';
import { lookUp } from '../../support/transfer/transfer.ts';
import {
  checkAccessible,
  chooseFiles,
  encrypt,
  hashFile,
  makeFolder,
  makeRandomFile,
  measureMostBytes,
  readCode,
  readPicked,
  readSecret,
  visitTransfer,
  WITH_FOLDER_PICKER,
  WITHOUT_DIRECT_WAY,
  WITHOUT_PICKERS,
  waitForReceiver,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const MIB = 1024 ** 2;
const WRONG = '0000-0000-0000-0000';

/** The directories in which this page keeps files until it is closed. */
const LIST_KEPT_DIRECTORIES = `(async () => {
  const names = [];
  for await (const name of (await navigator.storage.getDirectory()).keys()) names.push(name);
  return names;
})()`;

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const alice = await holdall.register('alice');
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

/** Stores the files encrypted, as a new user. @param prepare called with the sender before */
async function store(
  name: string,
  files: string[],
  prepare?: (sender: Visit) => Promise<void>,
): Promise<{ sender: Visit; code: string; secret: string }> {
  const person = await holdall.register(name);
  const sender = await visit({ address: '/login' });
  await sender.logIn(person, '/transfer');
  await sender.page.getByText('Store for 7 days').click();
  await encrypt(sender.page);
  await prepare?.(sender);
  await chooseFiles(sender.page, 'Choose files', files);
  await sender.page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
  return { sender, code: await readCode(sender.page), secret: await readSecret(sender.page) };
}

async function findSession(code: string): Promise<TransferRecord> {
  return (await lookUp(holdall.anonymous, code)).data;
}

test(
  'a file is encrypted while it is sent, and decrypted while it is saved, with little memory',
  inFull,
  async () => {
    const size = 60_000_000;
    const file = path.join(folder, 'holiday.mov');
    const hash = await makeRandomFile(file, size);
    const { sender, code, secret } = await store('anna', [file]);
    await checkAccessible(sender);
    const worker = await sender.page.evaluate<string>(
      `performance.getEntriesByType('resource').find(({ name }) => name.includes('record-worker')).name`,
    );
    const { headers } = await holdall.anonymous.fetch('GET', new URL(worker).pathname);
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'");

    const session = await findSession(code);
    assert.equal(session.encrypted, true);
    assert.deepEqual(
      session.files.map(({ name, relativePath, contentType, size: sealed }) => [
        ...[name, relativePath, contentType, sealed],
      ]),
      [['file-0', null, null, size + 16 * Math.ceil(size / 65_536)]],
    );
    const [stored] = session.files;
    const url = `/api/transfer/sessions/${session.sessionId}/files/${stored?.id}/download`;
    const bytes = Buffer.from(await (await holdall.anonymous.fetch('GET', url)).arrayBuffer());
    const plain = await readFile(file);
    assert.equal(bytes.indexOf(plain.subarray(0, 32)), -1, 'the service has no plain bytes');
    const sealedHash = createHash('sha256').update(bytes).digest('hex');
    assert.notEqual(sealedHash, hash);

    const address = `/transfer/${code}#${secret.replaceAll('-', '')}`;
    const receiver = await visit({ scripts: [WITHOUT_PICKERS], address });
    const { page } = receiver;
    await page.getByText('holiday.mov').waitFor();
    await checkAccessible(receiver);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const isHere = page.getByRole('heading', { name: 'Received' });
    const mostBytes = await measureMostBytes(receiver, isHere);
    assert.ok(mostBytes < 50 * MIB, `the page held ${mostBytes} bytes`);
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'holiday.mov');
    assert.equal(await hashFile(await download.path()), hash);
    await checkAccessible(receiver);
  },
);

test('code and secret can be typed; a wrong secret shows nothing, not even the names', async () => {
  await makeFolder(
    folder,
    new Map([
      ['a.txt', 'first'],
      ['empty.txt', ''],
    ]),
  );
  const files = ['a.txt', 'empty.txt'].map((name) => path.join(folder, name));
  const { sender, code, secret } = await store('berta', files);
  await sender.page.getByText("The server can't read the files or their names").waitFor();

  const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
  const receiver = await visit({ scripts: [WITH_FOLDER_PICKER], ...phone });
  const { page } = receiver;
  await page.getByLabel('Code').fill(code);
  const field = page.getByLabel('Secret');
  await field.waitFor();
  await checkAccessible(receiver);
  assert.equal(await page.getByText('a.txt').count(), 0);
  await field.fill(WRONG);
  await page.getByText('Wrong secret').waitFor();
  await checkAccessible(receiver);
  assert.equal(await page.getByText('a.txt').count(), 0);
  await field.fill('u');
  await page.getByText("Secrets don't contain U.").waitFor();
  await field.fill(secret.toLowerCase().replaceAll('0', 'o').replaceAll('-', ' '));
  await page.getByText('a.txt').waitFor();
  const width = await page.evaluate('document.documentElement.scrollWidth');
  assert.equal(width, 360, 'nothing is wider than the phone');

  // Code and secret are pasted together, as they were copied.
  await page.goto('/transfer');
  await page.getByLabel('Code').fill(`${code}-${secret}`);
  await page.getByText('2 files are ready for you').waitFor();
  await page.getByRole('button', { name: 'Download all' }).click();
  await page.evaluate('openGate()');
  await page.getByRole('heading', { name: 'Received' }).waitFor();
  assert.deepEqual(
    await readPicked(page),
    new Map([
      ['a.txt', 'first'],
      ['empty.txt', ''],
    ]),
  );
  // The short form of a link.
  await page.goto(`/t/${code}#${secret}`);
  await page.getByText('2 files are ready for you').waitFor();
});

test('the service is not asked to import: the page decrypts and uploads', inFull, async () => {
  await makeFolder(
    folder,
    new Map([
      ['letter.txt', 'Dear Bob'],
      ['nothing.txt', ''],
    ]),
  );
  const files = ['letter.txt', 'nothing.txt'].map((name) => path.join(folder, name));
  const { sender, code, secret } = await store('carol', files);
  await sender.page.getByRole('button', { name: 'Send something else' }).click();
  await sender.page
    .getByRole('region', { name: 'Stored for others' })
    .getByText('2 encrypted files')
    .waitFor();
  assert.ok(await sender.page.getByRole('switch', { name: 'Encrypt end to end' }).isChecked(), 'remembered');

  const bob = await holdall.register('bob');
  const receiver = await visit({ address: '/login' });
  await receiver.logIn(bob, `/transfer/${code}#${secret}`);
  await receiver.page.getByRole('button', { name: 'Save to my drive' }).click();
  await receiver.page.getByRole('dialog').getByRole('button', { name: 'Documents' }).click();
  await receiver.page.getByRole('button', { name: 'Save here' }).click();
  await receiver.page.getByRole('heading', { name: 'Saved 2 files to “Documents”' }).waitFor();
  await bob.logIn();
  assert.deepEqual(await bob.names('/Documents'), ['letter.txt', 'nothing.txt']);
  const { items } = await bob.list('/Documents');
  const letter = items.find(({ filename }) => filename === 'letter.txt');
  assert.ok(letter);
  assert.equal(String(await bob.download(letter)), 'Dear Bob');
});

test(
  'an import shows how far it is, can be cancelled and continued, and says what failed',
  inFull,
  async () => {
    const names = ['1.txt', '2.txt', '3.txt'];
    await makeFolder(folder, new Map(names.map((name) => [name, `This is ${name}.`])));
    const { code, secret } = await store(
      'ivy',
      names.map((name) => path.join(folder, name)),
    );
    const ivan = await holdall.register('ivan');
    const receiver = await visit({ address: '/login' });
    await receiver.logIn(ivan, `/transfer/${code}#${secret}`);
    const { page } = receiver;
    let uploads = 0;
    await page.route('**/api/files/upload', async (route) => {
      uploads += 1;
      // The second file is held back until the import is cancelled, and refused after that.
      if (uploads === 2) return;
      const json = { code: 1413, msg: 'There is not enough storage space left for this.', data: null };
      await (uploads === 3 ? route.fulfill({ status: 413, json }) : route.continue());
    });
    await page.getByRole('button', { name: 'Save to my drive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Documents' }).click();
    await page.getByRole('button', { name: 'Save here' }).click();
    const card = page.getByRole('region', { name: 'Save to your drive' });
    await card.getByRole('heading', { name: 'Saving to “Documents”' }).waitFor();
    await card.getByText('1 of 3 files saved').waitFor();
    await checkAccessible(receiver);

    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.getByRole('heading', { name: 'Not everything was saved' }).waitFor();
    assert.deepEqual(await ivan.names('/Documents'), ['1.txt']);
    await card.getByRole('button', { name: 'Continue' }).click();
    await card.getByText("Couldn't save 1 file").waitFor();
    const refused = card.getByRole('listitem').filter({ hasText: '2.txt' });
    await refused.getByText('Not enough storage space left').waitFor();
    await checkAccessible(receiver);

    // Visits another page of the client, and returns.
    await page.getByRole('link', { name: 'Recent' }).click();
    await page.goBack();
    await card.getByRole('button', { name: 'Try again' }).click();
    await card.getByRole('heading', { name: 'Saved 3 files to “Documents”' }).waitFor();
    await card.getByRole('link', { name: 'Show in my drive' }).click();
    await page.getByRole('row', { name: '2.txt' }).waitFor();
    assert.deepEqual(await ivan.names('/Documents'), names);
  },
);

test('an interrupted upload is sent again', inFull, async () => {
  const file = path.join(folder, 'again.mov');
  const hash = await makeRandomFile(file, 3_000_000);
  const requests: string[] = [];
  const { code, secret } = await store('frida', [file], async ({ page }) => {
    await page.route('**/content', async (route) => {
      requests.push(route.request().url());
      await (requests.length === 1 ? route.abort('connectionreset') : route.continue());
    });
  });
  assert.equal(requests.length, 2);
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}#${secret}` });
  const downloading = receiver.page.waitForEvent('download');
  await receiver.page.getByRole('button', { name: 'Download', exact: true }).click();
  assert.equal(await hashFile(await (await downloading).path()), hash);
});

test('a large file is sent in pieces, and continues where the connection broke', inFull, async () => {
  const file = path.join(folder, 'pieces.mov');
  const size = 40_000_000;
  const hash = await makeRandomFile(file, size);
  const calls: string[] = [];
  const whole: string[] = [];
  const { sender, code, secret } = await store('gwen', [file], async ({ page }) => {
    await page.route('**/tus**', async (route) => {
      const request = route.request();
      const offset = request.headers()['upload-offset'] ?? '';
      calls.push(`${request.method()} ${offset}`.trim());
      await (calls.length === 3 ? route.abort('connectionreset') : route.continue());
    });
    page.on('request', (request) => {
      if (request.url().endsWith('/content')) whole.push(request.url());
    });
  });
  const piece = 256 * 65_552;
  assert.deepEqual(calls, [
    ...['POST', 'PATCH 0', `PATCH ${piece}`, 'HEAD', `PATCH ${piece}`, `PATCH ${2 * piece}`],
  ]);
  assert.deepEqual(whole, [], 'nothing is sent as a whole');
  assert.deepEqual(await sender.page.evaluate(LIST_KEPT_DIRECTORIES), [], 'no copy is on disk');
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}#${secret}` });
  const downloading = receiver.page.waitForEvent('download');
  await receiver.page.getByRole('button', { name: 'Download', exact: true }).click();
  assert.equal(await hashFile(await (await downloading).path()), hash);
});

test('a download that breaks off resumes at a record', inFull, async () => {
  const file = path.join(folder, 'long.mov');
  const hash = await makeRandomFile(file, 20_000_000);
  const { code, secret } = await store('emil', [file]);
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}#${secret}` });
  const { page } = receiver;
  const starts: number[] = [];
  await page.route('**/download', async (route) => {
    const { range = 'bytes=0-' } = route.request().headers();
    starts.push(Number(/^bytes=(\d+)-$/.exec(range)?.[1]));
    const response = await route.fetch();
    const body = await response.body();
    // The first download ends within a record.
    const part = starts.length === 1 ? body.subarray(0, 9_999_999) : body;
    const { 'content-length': _, ...headers } = response.headers();
    await route.fulfill({ status: response.status(), headers, body: part });
  });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  assert.equal(await hashFile(await (await downloading).path()), hash);
  const [first, second = 0] = starts;
  assert.deepEqual([first, starts.length, second % 65_552], [0, 2, 0]);
  assert.ok(second > 9_000_000 && second < 9_999_999, `${second}`);
});

test('a stored file that was changed is not saved', inFull, async () => {
  await makeFolder(folder, new Map([['letter.txt', 'Dear Bob']]));
  const { code, secret } = await store('dora', [path.join(folder, 'letter.txt')]);
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}#${secret}` });
  const { page } = receiver;
  await page.route('**/download', async (route) => {
    const response = await route.fetch();
    const body = await response.body();
    body[0] = (body[0] ?? 0) ^ 1;
    await route.fulfill({ response, body });
  });
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByText("A file was changed after it was encrypted. It wasn't saved.").waitFor();
});

test('a receiver with a secret does not accept a transfer that lost its encryption', inFull, async () => {
  await makeFolder(folder, new Map([['other.txt', 'Dear Bob']]));
  const { pickupCode } = await alice.ask<TransferRecord>('POST', '/api/transfer/sessions', {
    body: { mode: 'ONLINE', files: [{ name: 'other.txt', size: 8 }] },
  });
  const receiver = await visit({ address: `/transfer/${pickupCode}#${WRONG}` });
  await receiver.page.getByText("You have a secret, but this transfer isn't encrypted").waitFor();
  assert.equal(await receiver.page.getByText('other.txt').count(), 0);
  await checkAccessible(receiver);
});

test(
  'without a direct connection an encrypted transfer continues through the service, still encrypted',
  inFull,
  async () => {
    const file = path.join(folder, 'film.mov');
    const hash = await makeRandomFile(file, 3_000_000);
    const sender = await visit({ scripts: [WITHOUT_DIRECT_WAY], address: '/login' });
    await alice.logIn();
    await sender.logIn(alice, '/transfer');
    await encrypt(sender.page);
    await chooseFiles(sender.page, 'Choose files', file);
    const code = await readCode(sender.page);
    const secret = await readSecret(sender.page);
    const receiver = await visit({
      scripts: [WITHOUT_PICKERS, WITHOUT_DIRECT_WAY],
      address: `/transfer/${code}#${secret}`,
    });
    await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
    await waitForReceiver(sender.page);
    const downloading = receiver.page.waitForEvent('download');
    await sender.page.getByRole('button', { name: 'Store for 7 days' }).click();
    assert.equal(await hashFile(await (await downloading).path()), hash);
    const stored = await readCode(sender.page);
    assert.notEqual(stored, code);
    assert.equal(await readSecret(sender.page), secret);
    assert.equal((await findSession(stored)).encrypted, true);
    const { pathname, hash: fragment } = new URL(receiver.page.url());
    assert.deepEqual([pathname, fragment], [`/transfer/${stored}`, `#${secret.replaceAll('-', '')}`]);
  },
);
