// tier: full
// runs on: sqlite
// needs: browser
// What can follow a transfer: another code, the same files again, or nothing because the page was closed.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { waitFor } from '../../support/tasks/tasks.ts';
import { lookUp } from '../../support/transfer/transfer.ts';
import {
  checkAccessible,
  chooseFiles,
  makeRandomFile,
  readCode,
  visitTransfer,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, browser, watch } = await startVisits({ browser: { isShared: false } });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
const file = path.join(folder, 'film.mov');
await makeRandomFile(file, 50_000);
after(() => rm(folder, { recursive: true, force: true }));

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  watch(made);
  return made;
}

async function offer(): Promise<{ sender: Visit; code: string }> {
  const sender = await visit();
  await chooseFiles(sender.page, 'Choose files', file);
  return { sender, code: await readCode(sender.page) };
}

test('a receiver who has found a transfer can enter another code', async () => {
  const { code } = await offer();
  const { page } = await visit({ ...PHONE, address: `/t/${code}` });
  await page.getByText('film.mov').waitFor();
  await page.getByRole('link', { name: 'Enter another code' }).tap();
  await page.getByLabel('Code').waitFor();
  assert.equal(new URL(page.url()).pathname, '/transfer');
});

test('a receiver can receive another transfer after the first', async () => {
  const { code } = await offer();
  const { page } = await visit({ ...PHONE, scripts: [WITHOUT_PICKERS], address: `/t/${code}` });
  await page.getByText('Files go to your downloads').waitFor();
  await page.getByRole('button', { name: 'Receive', exact: true }).tap();
  await page.getByRole('button', { name: 'Receive something else' }).tap();
  await page.getByLabel('Code').waitFor();
  assert.equal(await page.getByText('film.mov').count(), 0);
});

test('a transfer that has ended can be started again with the same files', async () => {
  const { sender, code } = await offer();
  const { page } = sender;
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('You cancelled the transfer.').waitFor();
  await checkAccessible(sender);
  await page.getByRole('button', { name: 'Send these files again' }).click();
  const next = await readCode(page);
  assert.notEqual(next, code);
  assert.equal((await lookUp(holdall.anonymous, next)).data.files[0]?.name, 'film.mov');
});

test('a code ends when its sender closes the page, because the files are gone with it', async () => {
  const { sender, code } = await offer();
  sender.page.once('dialog', (dialog) => void dialog.accept());
  await sender.page.goto('/login');
  await waitFor(
    () => lookUp(holdall.anonymous, code),
    ({ status }) => status === 404,
    'the end of the code',
  );
});

test('the link can be passed on to another app', async () => {
  const sender = await visit({
    ...PHONE,
    scripts: ['navigator.share = async (data) => void (window.passedOn = data);'],
  });
  const { page } = sender;
  await chooseFiles(page, 'Choose files', file);
  const code = await readCode(page);
  await page.getByRole('button', { name: 'Send…' }).tap();
  const { url } = await page.evaluate<{ url: string }>('window.passedOn');
  assert.equal(url, `${holdall.url}/transfer/${code}`);
});
