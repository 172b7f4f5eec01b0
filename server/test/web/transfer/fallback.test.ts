// tier: full
// runs on: sqlite
// needs: browser
// A member's direct transfer continues through the service if no connection can be opened.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { lookUp, TRANSFERS } from '../../support/transfer/transfer.ts';
import {
  checkAccessible,
  chooseFiles,
  encrypt,
  hashFile,
  makeRandomFile,
  readCode,
  readSecret,
  visitTransfer,
  WITHOUT_DIRECT_WAY,
  WITHOUT_PICKERS,
  waitForReceiver,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const QUESTION = 'Store the files on the server for 7 days instead?';
const IS_STORED = 'Stored, ready for pickup';
const ARRIVED = 'Received';
const WITHOUT_ASKING = 'If a direct connection fails, use the server automatically';

const { holdall, browser, watch } = await startVisits({
  holdall: { env: { HOLDALL_RATE_LIMITS: 'off' } },
  browser: { isShared: false },
});
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, 'film.mov');
const hash = await makeRandomFile(file, 2_000_000);

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, {
    scripts: [WITHOUT_DIRECT_WAY, WITHOUT_PICKERS],
    ...options,
  });
  watch(made);
  return made;
}

async function visitAs(person: Person): Promise<Visit> {
  return await (await visit({ ...PHONE, address: '/login' })).logIn(person, '/transfer');
}

/** Sends the file, and lets a visitor accept it. */
async function send({ page }: Visit): Promise<{ receiver: Visit; code: string }> {
  await chooseFiles(page, 'Choose files', file);
  const code = await readCode(page);
  const receiver = await visit({ address: `/transfer/${code}` });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  return { receiver, code };
}

async function savedHash({ page }: Visit): Promise<string> {
  await page.getByRole('heading', { name: ARRIVED }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save again' }).click();
  return await hashFile(await (await downloading).path());
}

test('the sender is asked once, the answer is remembered, and can be changed on the page', async () => {
  const sender = await visitAs(await holdall.register('alice'));
  const { page } = sender;
  const first = await send(sender);
  await page.getByText(QUESTION).waitFor();
  await checkAccessible(sender);
  await page.getByLabel('Always do this without asking').check();
  await page.getByRole('button', { name: 'Store for 7 days' }).click();
  assert.equal(await savedHash(first.receiver), hash);
  // The old session ends as soon as the receiver does not need it any more.
  await waitFor(
    () => lookUp(holdall.anonymous, first.code),
    ({ status }) => status === 404,
    'the end of the old session',
  );

  await page.getByRole('button', { name: 'Send something else' }).click();
  const choice = page.getByRole('switch', { name: WITHOUT_ASKING });
  assert.equal(await choice.isChecked(), true);
  const second = await send(sender);
  await page.getByRole('heading', { name: IS_STORED }).waitFor();
  assert.equal(await savedHash(second.receiver), hash);

  await page.getByRole('button', { name: 'Send something else' }).click();
  await choice.uncheck({ force: true });
  await page.reload();
  assert.equal(await choice.isChecked(), false);
  const third = await send(sender);
  await page.getByText(QUESTION).waitFor();
  await page.getByRole('button', { name: 'Keep trying' }).click();
  await page.getByText('Both pages keep trying').waitFor();
  assert.equal(await page.getByText(QUESTION).count(), 0);
  await checkAccessible(sender);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await third.receiver.page.getByText('The sender ended the transfer').waitFor();
  assert.equal((await lookUp(holdall.anonymous, third.code)).status, 404);
});

test('an encrypted transfer stays encrypted, with the same secret and without another code to type', async () => {
  const sender = await visitAs(await holdall.register('alice'));
  const { page } = sender;
  await encrypt(page);
  await chooseFiles(page, 'Choose files', file);
  const [code, secret] = [await readCode(page), await readSecret(page)];
  const receiver = await visit({ address: `/transfer/${code}#${secret}` });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await waitForReceiver(page);
  await page.getByRole('button', { name: 'Store for 7 days' }).click();
  await page.getByRole('heading', { name: IS_STORED }).waitFor();
  assert.equal(await readSecret(page), secret);
  assert.equal(await savedHash(receiver), hash);
  const { data: stored } = await lookUp(holdall.anonymous, await readCode(page));
  assert.equal(stored.encrypted, true);
  assert.notEqual(stored.pickupCode, code);
  assert.ok((stored.files[0]?.size ?? 0) > 2_000_000);
});

test('a receiver continues automatically even if the first session ended before the upload', async () => {
  const alice = await holdall.register('alice');
  const sender = await visitAs(alice);
  const { page } = sender;
  const uploading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await sender.page.route('**/content', async (route) => {
    uploading.resolve();
    await released.promise;
    await route.continue();
  });
  const { receiver, code } = await send(sender);
  await waitForReceiver(page);
  await page.getByRole('button', { name: 'Store for 7 days' }).click();
  await uploading.promise;
  await receiver.page.getByRole('heading', { name: 'The sender is uploading to the server' }).waitFor();
  const { sessionId } = (await lookUp(holdall.anonymous, code)).data;
  await alice.ask('DELETE', `${TRANSFERS}/${sessionId}`);
  released.resolve();
  assert.equal(await savedHash(receiver), hash);
});

test('cancelling while files are stored ends the transfer for both, and leaves nothing', async () => {
  const alice = await holdall.register('alice');
  const sender = await visitAs(alice);
  const { page } = sender;
  const uploading = Promise.withResolvers<void>();
  await sender.page.route('**/content', () => uploading.resolve());
  const { receiver } = await send(sender);
  await waitForReceiver(page);
  await page.getByRole('button', { name: 'Store for 7 days' }).click();
  await uploading.promise;
  await receiver.page.getByRole('heading', { name: 'The sender is uploading to the server' }).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await receiver.page.getByText('The sender ended the transfer').waitFor();
  await waitFor(
    () => alice.ask<unknown[]>('GET', `${TRANSFERS}/offline/mine`),
    ({ length }) => length === 0,
    'the end of the stored session',
  );
});

test('the question is in Chinese if the page is', async () => {
  const sender = await visit({ ...PHONE, address: '/login', locale: 'zh-CN' });
  await sender.logIn(await holdall.register('alice'), '/transfer');
  const { page } = sender;
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: '选择文件', exact: true }).click();
  await (await choosing).setFiles(file);
  const shown = await page.getByText(/^[2-9A-Z]{3} [2-9A-Z]{3}$/).innerText();
  const receiver = await visit({ address: `/transfer/${shown.replace(' ', '')}` });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await page.getByText('改为在服务器上暂存 7 天？').waitFor();
  await page.getByRole('button', { name: '暂存 7 天' }).click();
  await receiver.page.getByRole('heading', { name: ARRIVED }).waitFor();
});
