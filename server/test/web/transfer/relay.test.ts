// tier: full
// runs on: sqlite
// needs: browser, coturn
// Two visitors who cannot reach each other directly: with a real TURN server, with a wrong secret, and
// without a server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { startCoturn } from '../../../../tools/programs/coturn.ts';
import { type Holdall, startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import {
  checkAccessible,
  chooseFiles,
  hashFile,
  makeRandomFile,
  ONLY_BY_RELAY,
  readCode,
  visitTransfer,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const SECRET = 'shared with the TURN server';

const coturn = await startCoturn(SECRET);
after(() => coturn.stop());
const servers = (secret: string) => JSON.stringify([{ urls: coturn.url, secret }]);
const withRelay = await startHoldall({ env: { HOLDALL_ICE_SERVERS: servers(SECRET) } });
const withWrongSecret = await startHoldall({ env: { HOLDALL_ICE_SERVERS: servers('another') } });
const withoutRelay = await startHoldall();
const browser = await startBrowser({ isShared: false });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
after(() => rm(folder, { recursive: true, force: true }));
const file = path.join(folder, 'film.mov');
const hash = await makeRandomFile(file, 3_000_000);
const visits: Visit[] = [];
afterEach(() => {
  for (const visit of visits.splice(0)) visit.checkClean();
});

async function visit(holdall: Holdall, options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, {
    scripts: [ONLY_BY_RELAY, WITHOUT_PICKERS],
    ...options,
  });
  visits.push(made);
  return made;
}

/** Two visitors, of whom the second has accepted what the first sends. */
async function begin(holdall: Holdall) {
  const sender = await visit(holdall, PHONE);
  await chooseFiles(sender.page, 'Choose files', file);
  const receiver = await visit(holdall, { ...PHONE, address: `/transfer/${await readCode(sender.page)}` });
  const downloading = receiver.page.waitForEvent('download');
  // A transfer that fails has no download.
  downloading.catch(() => {});
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  return { sender, receiver, downloading };
}

test('two visitors reach each other over the relay, with credentials that the TURN server accepts', async () => {
  const { sender, downloading } = await begin(withRelay);
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  assert.equal(await hashFile(await (await downloading).path()), hash);
  const log = await coturn.readLog();
  assert.match(log, /ALLOCATE processed, success/);
});

test('if the relay does not help either, both are told so, and what to do', async () => {
  const { sender, receiver } = await begin(withWrongSecret);
  for (const { page } of [sender, receiver]) {
    await page.getByText("not even over this server's relay").waitFor();
    await page.getByText('Tell your administrator that the relay').waitFor();
  }
});

test('without a relay both are told what happened and what to do, and the pages keep trying', async () => {
  const { sender, receiver } = await begin(withoutRelay);
  for (const { page } of [sender, receiver]) {
    await page.getByText('this server has no relay').waitFor();
    await page.getByText('Use the same network').waitFor();
    await page.getByText('Ask your administrator to set up a relay').waitFor();
  }
  await sender.page.getByText('Log in, if you have an account here').waitFor();
  await receiver.page.getByText('If the sender has an account here').waitFor();
  assert.equal(
    await sender.page.getByText('use the server automatically').count(),
    0,
    'a visitor cannot store files',
  );
  await checkAccessible(sender);
  await checkAccessible(receiver);
  await sender.page.getByRole('button', { name: 'Cancel' }).click();
  await receiver.page.getByText('The sender ended the transfer').waitFor();
});
