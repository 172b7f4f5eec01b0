// tier: full
// runs on: sqlite
// needs: browser
// The receiver of a direct transfer leaves before it is complete.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { lookUp } from '../../support/transfer/transfer.ts';
import { startBrowser } from '../../support/web/browser.ts';
import {
  checkAccessible,
  chooseFiles,
  makeRandomFile,
  readCode,
  visitTransfer,
  WITH_FOLDER_PICKER,
  WITHOUT_DIRECT_WAY,
} from '../../support/web/transfer-visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const STORES_WITHOUT_ASKING = "localStorage.setItem('holdall.transfer.fallback', 'store');";
const LEFT = 'The other person left';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const browser = await startBrowser({ isShared: false });
const folder = await mkdtemp(path.join(tmpdir(), 'holdall-transfer-'));
const files = ['film.mov', 'letter.txt'].map((name) => path.join(folder, name));
for (const file of files) await makeRandomFile(file, 300_000);
after(() => rm(folder, { recursive: true, force: true }));
const visits: Visit[] = [];
afterEach(() => {
  for (const visit of visits.splice(0)) visit.checkClean();
});

async function visit(options: Parameters<typeof visitTransfer>[2] = {}): Promise<Visit> {
  const made = await visitTransfer(browser, holdall, options);
  visits.push(made);
  return made;
}

async function offer(sender: Visit): Promise<string> {
  await chooseFiles(sender.page, 'Choose files', files);
  return await readCode(sender.page);
}

/** A member who stores files without asking if there is no direct connection. */
async function visitAs(person: Person, scripts: string[] = []): Promise<Visit> {
  const made = await visit({ ...PHONE, scripts: [STORES_WITHOUT_ASKING, ...scripts], address: '/login' });
  return await made.logIn(person, '/transfer');
}

/** Begins to receive with the code. The disk accepts no bytes, so the transfer stops at the first ones. */
async function beginToReceive(code: string, scripts: string[] = []): Promise<Visit> {
  const receiver = await visit({ scripts: [WITH_FOLDER_PICKER, ...scripts], address: `/transfer/${code}` });
  await receiver.page.getByRole('button', { name: 'Receive', exact: true }).click();
  return receiver;
}

test('a receiver who closes the page frees the code, also for the same person', async () => {
  const sender = await visit();
  const code = await offer(sender);
  for (let time = 0; time < 2; time += 1) {
    const receiver = await beginToReceive(code);
    await sender.page.getByRole('heading', { name: /^Sending to/ }).waitFor();
    await receiver.page.close({ runBeforeUnload: true });
    await sender.page.getByText(LEFT).waitFor();
    assert.equal(await readCode(sender.page), code);
  }
  await checkAccessible(sender);
  const receiver = await beginToReceive(code);
  await receiver.page.evaluate('openGate()');
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
  assert.equal(await sender.page.getByText(LEFT).count(), 0);
});

test('a receiver who reloads the page can receive again', async () => {
  const sender = await visit();
  const code = await offer(sender);
  const { page } = await beginToReceive(code);
  await sender.page.getByRole('heading', { name: /^Sending to/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Receive', exact: true }).click();
  await page.evaluate('openGate()');
  await page.getByRole('heading', { name: 'Received' }).waitFor();
  await sender.page.getByRole('heading', { name: 'Sent' }).waitFor();
});

/** A page that is not told of its end, as when its browser is killed. */
const WITHOUT_PAGEHIDE = "addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true);";

test('a receiver whose browser dies is given up, and nothing is stored', async () => {
  const alice = await holdall.register('alice');
  const sender = await visitAs(alice);
  const code = await offer(sender);
  const receiver = await beginToReceive(code, [WITHOUT_PAGEHIDE]);
  await sender.page.getByRole('heading', { name: /^Sending to/ }).waitFor();
  await receiver.page.close();
  await sender.page.getByText(LEFT).waitFor({ timeout: 60_000 });
  assert.deepEqual(await alice.ask('GET', '/api/transfer/sessions/offline/mine'), []);
  assert.equal((await lookUp(holdall.anonymous, code)).data.status, 'WAITING');
});

/** A page that can break its own connections. */
const CUTTABLE = `
  const peers = [];
  window.cut = () => peers.forEach((peer) => peer.close());
  const Original = RTCPeerConnection;
  window.RTCPeerConnection = class extends Original {
    constructor(configuration) {
      super(configuration);
      peers.push(this);
    }
  };
`;

test('a sender without a network keeps the receiver, and continues when the network is back', async () => {
  const sender = await visit({ scripts: [CUTTABLE] });
  const { page } = sender;
  const receiver = await beginToReceive(await offer(sender));
  await page.getByRole('heading', { name: /^Sending to/ }).waitFor();
  const leaving = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/receiver'));
  await sender.goOffline();
  await page.evaluate('cut()');
  await page.getByRole('heading', { name: 'Connection lost' }).waitFor();
  await leaving;
  await sender.context.setOffline(false);
  await receiver.page.evaluate('openGate()');
  await page.getByRole('heading', { name: 'Sent' }).waitFor();
  assert.equal(await page.getByText(LEFT).count(), 0);
});

test('files stored without asking are dropped when the receiver leaves, and the code still works', async () => {
  const bob = await holdall.register('bob');
  const sender = await visitAs(bob, [WITHOUT_DIRECT_WAY]);
  const code = await offer(sender);
  // The upload waits until the receiver has left.
  const gate = Promise.withResolvers<void>();
  await sender.page.route(/\/(content|tus)/, async (route) => {
    await gate.promise;
    await route.continue().catch(() => undefined);
  });
  const receiver = await beginToReceive(code);
  await sender.page.getByRole('heading', { name: 'Uploading to the server' }).waitFor({ timeout: 60_000 });
  await receiver.page.close({ runBeforeUnload: true });
  await sender.page.getByText(LEFT).waitFor();
  gate.resolve();
  await waitFor(
    () => bob.ask<unknown[]>('GET', '/api/transfer/sessions/offline/mine'),
    (stored) => stored.length === 0,
    'nothing is stored',
  );
  assert.equal((await lookUp(holdall.anonymous, code)).data.status, 'WAITING');
});
