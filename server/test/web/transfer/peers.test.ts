// tier: default
// runs on: sqlite
// needs: browser
// Direct transfers: who is at the other end?
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { lookUp } from '../../support/transfer/transfer.ts';
import { ManInTheMiddle } from '../../support/web/man-in-the-middle.ts';
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
import { startVisits } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const WRONG = '0000-0000-0000-0000';
const WORDS = /^(?:[a-z]{3,8} ){3}[a-z]{3,8}$/;

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
const file = path.join(folder, 'film.mov');
const hash = await makeRandomFile(file, 2_500_000);
after(() => rm(folder, { recursive: true, force: true }));

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

async function offer({ isEncrypted }: { isEncrypted: boolean }) {
  const sender = await visit();
  if (isEncrypted) await encrypt(sender.page);
  await chooseFiles(sender.page, 'Choose files', file);
  const code = await readCode(sender.page);
  return { sender, code, secret: isEncrypted ? await readSecret(sender.page) : undefined };
}

/** Records everything that the page sends to the service from now on. */
function recordRequests(page: Page): readonly string[] {
  const said: string[] = [];
  page.on('request', (request) => {
    said.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`);
  });
  return said;
}

async function readWords(page: Page): Promise<string> {
  return await page.getByText(WORDS).innerText();
}

test('with the right secret the file arrives, and the service knows neither name nor type', async () => {
  const { sender, code, secret } = await offer({ isEncrypted: true });
  await checkAccessible(sender);
  const { data: session } = await lookUp(holdall.anonymous, code);
  assert.deepEqual(
    session.files.map(({ name, contentType, relativePath }) => [name, contentType, relativePath]),
    [['file-0', null, null]],
  );
  const receiver = await visit({ scripts: [WITHOUT_PICKERS] });
  const { page } = receiver;
  const said = [recordRequests(sender.page), recordRequests(page)];
  await page.goto(`/transfer/${code}#${secret}`);
  await page.getByText('film.mov').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'film.mov');
  assert.equal(await hashFile(await download.path()), hash);
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  for (const side of [sender.page, page]) {
    await side.getByText('Encrypted end to end.').waitFor();
    assert.equal(await side.getByText(WORDS).count(), 0);
  }
  const forms = [secret ?? '', secret?.replaceAll('-', '') ?? '', 'film.mov'];
  for (const line of said.flat()) {
    for (const form of forms) assert.ok(!line.includes(form), line);
  }
  assert.ok(said.every((lines) => lines.length > 2));
});

test('with a wrong secret or none the page shows nothing and does not join', inFull, async () => {
  const { sender, code, secret } = await offer({ isEncrypted: true });
  for (const fragment of ['', `#${WRONG}`]) {
    const receiver = await visit({ address: `/transfer/${code}${fragment}` });
    await receiver.page.getByLabel('Secret').waitFor();
    if (fragment !== '') {
      await receiver.page.getByText('Wrong secret').waitFor();
    }
    await checkAccessible(receiver);
    assert.equal(await receiver.page.getByRole('button', { name: 'Receive', exact: true }).count(), 0);
    assert.equal(await receiver.page.getByText('film.mov').count(), 0);
  }
  assert.equal((await lookUp(holdall.anonymous, code)).data.status, 'WAITING');

  // A receiver who gets the right secret later continues on the same page.
  const late = await visit({ address: `/transfer/${code}#${WRONG}` });
  await late.page.getByLabel('Secret').fill(secret ?? '');
  await late.page.getByText('film.mov').waitFor();
  await sender.page.getByRole('button', { name: 'Cancel' }).click();
});

test('without a secret both pages show the same four words', inFull, async () => {
  const { sender, code } = await offer({ isEncrypted: false });
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}` });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  await receiver.page.getByRole('heading', { name: 'Received' }).waitFor();
  assert.equal(await readWords(sender.page), await readWords(receiver.page));
  await checkAccessible(sender);
  await checkAccessible(receiver);
});

test('with a secret, a man in the middle is detected, and nothing is sent', inFull, async () => {
  const { sender, code, secret } = await offer({ isEncrypted: true });
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}#${secret}` });
  const middle = await ManInTheMiddle.begin((await visit()).page);
  await middle.attack(sender.page, 'sender');
  await middle.attack(receiver.page, 'receiver');
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  for (const { page } of [sender, receiver]) {
    await page.getByRole('heading', { name: 'The transfer has ended' }).waitFor();
    await page.getByText('someone may be in between').waitFor();
  }
  const { texts, bytes } = await middle.overhear();
  assert.equal(bytes, 0);
  assert.ok(texts.includes('proof'), 'it was in between');
  assert.ok(
    texts.every((type) => type === 'proof' || type === 'failed'),
    texts.join(' '),
  );
  await checkAccessible(sender);
  await checkAccessible(receiver);
});

test('without a secret, a man in the middle is visible, because the words differ', inFull, async () => {
  const { sender, code } = await offer({ isEncrypted: false });
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}` });
  const middle = await ManInTheMiddle.begin((await visit()).page);
  await middle.attack(sender.page, 'sender');
  await middle.attack(receiver.page, 'receiver');
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  await receiver.page.getByRole('heading', { name: 'Received' }).waitFor();
  assert.ok((await middle.overhear()).bytes >= 2_500_000, 'it was in between');
  assert.notEqual(await readWords(sender.page), await readWords(receiver.page));
});

test('in Chinese the page asks for the secret and compares the same words', inFull, async () => {
  const { sender, code } = await offer({ isEncrypted: false });
  const receiver = await visit({
    scripts: [WITHOUT_PICKERS],
    address: `/transfer/${code}`,
    locale: 'zh-CN',
  });
  await receiver.page.getByRole('button', { name: '接收', exact: true }).click();
  await receiver.page.getByText('请与对方核对这几个词').waitFor();
  assert.equal(await readWords(receiver.page), await readWords(sender.page));
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();

  const { code: encrypted, secret } = await offer({ isEncrypted: true });
  await receiver.page.goto(`/transfer/${encrypted}#${WRONG}`);
  await receiver.page.getByText('密钥错误，请与发送方核对').waitFor();
  await receiver.page.getByLabel('密钥').fill(secret ?? '');
  await receiver.page.getByText('film.mov').waitFor();
  await receiver.page.getByText('已端到端加密').waitFor();
});
