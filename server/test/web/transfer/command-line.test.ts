// tier: full
// runs on: sqlite
// needs: browser
// Transfers between a page and `holdall send` or `holdall receive`.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { CommandLine, type Ran } from '../../../../cli/test/command-line.ts';
import {
  checkAccessible,
  chooseFiles,
  encrypt,
  hashFile,
  readCode,
  readSecret,
  visitTransfer,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const WORDS = /(?:[a-z]{3,8} ){3}[a-z]{3,8}$/m;

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const typist = await CommandLine.create(holdall);
const BYTES = randomBytes(1_500_000);
const HASH = createHash('sha256').update(BYTES).digest('hex');
await writeFile(typist.at('film.mov'), BYTES);
const running = new AbortController();
after(() => running.abort());

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

async function send(
  words: readonly string[],
): Promise<{ readonly code: string; readonly end: Promise<Ran> }> {
  const printed = Promise.withResolvers<string>();
  const { signal } = running;
  const end = typist.run(['send', ...words, typist.at('film.mov')], [], { signal, onPrint: printed.resolve });
  const early = end.then(({ notes }) => Promise.reject(new Error(`There was no code: ${notes}`)));
  early.catch(() => undefined);
  return { code: await Promise.race([printed.promise, early]), end };
}

/** Receives with a page what the command line sends. */
async function receiveWithPage(code: string, button: string): Promise<Visit> {
  const receiver = await visit({ scripts: [WITHOUT_PICKERS], address: `/transfer/${code}` });
  const { page } = receiver;
  await page.getByText('film.mov').waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: button, exact: true }).click();
  const download = await downloading;
  assert.equal(download.suggestedFilename(), 'film.mov');
  assert.equal(await hashFile(await download.path()), HASH);
  return receiver;
}

for (const isEncrypted of [false, true]) {
  const kind = isEncrypted ? 'encrypted' : 'plain';
  const options = isEncrypted ? ['--encrypt'] : [];

  test(`the command line sends directly to a page, ${kind}`, async () => {
    const { code, end } = await send(['--direct-only', ...options]);
    const receiver = await receiveWithPage(code, 'Receive');
    const { page } = receiver;
    const sent = await end;
    assert.equal(sent.code, 0, sent.notes);
    if (isEncrypted) await page.getByText('Encrypted end to end.').waitFor();
    else await page.getByText(WORDS.exec(sent.notes)?.[0] ?? 'no words', { exact: true }).waitFor();
    await checkAccessible(receiver);
  });

  test(`a page sends directly to the command line, ${kind}`, async () => {
    const sender = await visit();
    const { page } = sender;
    if (isEncrypted) await encrypt(page);
    await chooseFiles(page, 'Choose files', typist.at('film.mov'));
    const code = await readCode(page);
    const typed = isEncrypted ? `${code}-${await readSecret(page)}` : code;
    const received = await typist.run(['receive', typed, typist.at(`from-page-${kind}`)]);
    assert.equal(received.code, 0, received.notes);
    await page.getByRole('heading', { name: 'Sent' }).waitFor();
    await checkAccessible(sender);
    assert.deepEqual(await readFile(typist.at(`from-page-${kind}`, 'film.mov')), BYTES);
    if (isEncrypted) return;
    const words = WORDS.exec(received.notes)?.[0] ?? 'no words';
    await page.getByText(words, { exact: true }).waitFor();
  });
}

test('what the command line has stored encrypted, a page decrypts', async () => {
  const { code, end } = await send(['--encrypt']);
  assert.equal((await end).code, 0);
  await receiveWithPage(code, 'Download');
});

test('what a page has stored encrypted, the command line decrypts', async () => {
  const sender = await visit({ address: '/login' });
  await sender.logIn(await holdall.register('anna'), '/transfer');
  const { page } = sender;
  await page.getByText('Store for 7 days').click();
  await encrypt(page);
  await chooseFiles(page, 'Choose files', typist.at('film.mov'));
  await page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
  const link = `${holdall.url}/t/${await readCode(page)}#${await readSecret(page)}`;
  const received = await typist.run(['receive', link, typist.at('decrypted')]);
  assert.equal(received.code, 0, received.notes);
  assert.deepEqual(await readFile(typist.at('decrypted', 'film.mov')), BYTES);
});
