// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { CallOptions } from '../support/app/person.ts';
import { countStatuses } from '../support/checks/race.ts';
import {
  join,
  lookUp,
  openOnline,
  Peer,
  type PeerSession,
  type SignalPage,
  TRANSFERS,
  withToken,
} from '../support/transfer/transfer.ts';

// Floods by one client, and proof that other clients are still served (ASVS 5.0, V17.3).

const KIB = 1024;
const MIB = 1024 * KIB;

// Without task workers, which would also count as waiters.
const holdall = await startHoldall({
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' },
});
const { anonymous, app } = holdall;

const signalsOf = ({ sessionId }: { sessionId: string }) => `${TRANSFERS}/${sessionId}/signals`;
const json = (body: string): CallOptions => ({ body, headers: { 'content-type': 'application/json' } });

const untilWaiting = (count: number) =>
  waitUntil(`${count} reads wait`, () => app.database.wakeups.waiterCount === count);

/** Exchanges signals between two peers until `others` is done. Each signal must arrive, in order. */
async function exchangeSignalsDuring(others: Promise<unknown>): Promise<void> {
  const made = await openOnline(anonymous);
  const sender = new Peer(anonymous, made);
  const receiver = new Peer(anonymous, await join(anonymous, made));
  let areDone = false;
  const end = others.finally(() => {
    areDone = true;
  });
  for (let turn = 0, after = 1; turn < 5 || !areDone; turn += 1) {
    const reading = receiver.read(after, 25);
    await sender.send('turn', turn);
    const { items, nextCursor } = await reading;
    assert.deepEqual(
      items.map(({ payload }) => payload),
      [turn],
    );
    after = nextCursor;
  }
  await end;
}

async function sumStoredBytes({ sessionId }: PeerSession): Promise<number> {
  const rows = await app.database.db
    .selectFrom('transfer_signal')
    .select('message')
    .where('session_id', '=', sessionId)
    .execute();
  return rows.reduce((sum, { message }) => sum + Buffer.byteLength(message), 0);
}

describe('malformed signals', () => {
  test('are all rejected, and do not disturb another session', inFull, async () => {
    const made = await openOnline(anonymous, { requirePeerToken: true });
    const other = await openOnline(anonymous);
    const url = signalsOf(made);
    const as = `${url}?role=sender`;
    const own = withToken(made.peerToken);
    const bad: readonly (readonly [number, string, string, CallOptions])[] = [
      [400, 'POST', url, { ...own, body: { type: 5 } }],
      [400, 'POST', `${url}?role=both`, { ...own, body: { type: 'x' } }],
      [400, 'POST', url, { ...own, ...json('{"type":') }],
      [400, 'POST', url, json(randomBytes(500).toString('latin1'))],
      [400, 'POST', url, json(`${'['.repeat(30_000)}`)],
      [413, 'POST', url, { body: { type: 'x', payload: 'p'.repeat(64 * KIB) } }],
      [403, 'POST', as, { body: { type: 'x' } }],
      [403, 'POST', as, { body: { type: 'x' }, ...withToken(other.peerToken) }],
      [403, 'GET', `${url}?waitSeconds=25`, withToken('x'.repeat(4_000))],
      [404, 'POST', signalsOf({ sessionId: crypto.randomUUID() }), { body: { type: 'x' } }],
      [400, 'GET', `${url}?after=99999999999999999999`, own],
    ];
    const flood = async () => {
      for (let round = 0; round < 20; round += 1) {
        await Promise.all(
          bad.map(async ([status, method, path, options]) => {
            const answer = await anonymous.call(method, path, options);
            assert.equal(answer.status, status, `${method} ${path}: ${answer.msg}`);
          }),
        );
      }
    };
    await exchangeSignalsDuring(flood());
    assert.equal(await sumStoredBytes(made), 0);
  });

  test('with payloads nested too deep are rejected; accepted ones can be read', async () => {
    const made = await openOnline(anonymous);
    const nest = (levels: number) =>
      json(`{"type":"x","payload":${'['.repeat(levels)}${']'.repeat(levels)}}`);
    const as = `${signalsOf(made)}?role=sender`;
    await anonymous.ask('POST', as, nest(1_000));
    for (const levels of [1_001, 5_000, 30_000]) await anonymous.refused(400, 1000, 'POST', as, nest(levels));
    const { items } = await anonymous.ask<SignalPage>('GET', `${signalsOf(made)}?role=receiver`);
    assert.equal(JSON.stringify(items[0]?.payload).length, 2_000);
  });
});

describe('large signals', () => {
  test('fill their own session only, are read in limited pages, and reading makes room', async () => {
    const made = await openOnline(anonymous);
    const receiver = new Peer(anonymous, await join(anonymous, made));
    const body = JSON.stringify({ type: 'x', payload: 'p'.repeat(63 * KIB) });
    const as = `${signalsOf(made)}?role=sender`;
    const statuses: number[] = [];
    const flood = async () => {
      while (statuses.filter((status) => status === 429).length < 8 && statuses.length < 1_000) {
        const answers = await Promise.all([1, 2, 3, 4].map(() => anonymous.call('POST', as, json(body))));
        statuses.push(...answers.map(({ status }) => status));
      }
    };
    await exchangeSignalsDuring(flood());
    assert.deepEqual([...new Set(statuses)].sort(), [200, 429]);
    const storedBytes = await sumStoredBytes(made);
    assert.ok(storedBytes >= 8 * MIB && storedBytes < 8.5 * MIB, `${storedBytes} bytes`);

    let seen = 0;
    for (let after = 1; ; ) {
      const page = await receiver.read(after);
      const bytes = JSON.stringify(page).length;
      assert.ok(bytes < 384 * KIB, `${bytes} bytes in one answer`);
      if (page.items.length === 0) break;
      seen += page.items.length;
      after = page.nextCursor;
    }
    assert.equal(seen, statuses.filter((status) => status === 200).length, 'all signals arrived');
    await anonymous.ask('POST', as, json(body));
  });

  test('whose numbers grow when they are serialized are counted by their stored size', async () => {
    const made = await openOnline(anonymous);
    const body = `{"type":"x","payload":[${Array.from({ length: 13_000 }, () => '1e20').join(',')}]}`;
    const as = `${signalsOf(made)}?role=sender`;
    let status = 200;
    for (let sent = 0; status === 200 && sent < 200; sent += 1) {
      status = (await anonymous.call('POST', as, json(body))).status;
    }
    assert.equal(status, 429);
    assert.ok((await sumStoredBytes(made)) < 9 * MIB);
  });
});

describe('long polls', () => {
  test('are limited per side to the newest few, and never displace one with the peer token', async () => {
    const made = await openOnline(anonymous);
    const joined = await join(anonymous, made);
    const honest = new Peer(anonymous, joined).read(1, 25);
    await untilWaiting(1);
    const url = `${signalsOf(made)}?role=receiver&after=1&waitSeconds=25`;
    const answers: number[] = [];
    const crowd = Array.from({ length: 40 }, async () => {
      const { status, data } = await anonymous.call<SignalPage>('GET', url);
      answers.push(data.items.length);
      return status;
    });
    await waitUntil('36 reads have been ended', () => answers.length === 36);
    await untilWaiting(5);
    assert.deepEqual(new Set(answers), new Set([0]));
    await new Peer(anonymous, made).send('offer');
    assert.deepEqual(
      (await honest).items.map(({ type }) => type),
      ['offer'],
    );
    assert.deepEqual(new Set(await Promise.all(crowd)), new Set([200]));
    assert.deepEqual(answers.slice(36), [1, 1, 1, 1]);
    assert.equal(app.database.wakeups.waiterCount, 0);
  });

  test('are not limited by those of other sessions', async () => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => openOnline(anonymous)));
    const reading = sessions.map((made) => new Peer(anonymous, made).read(0, 25));
    await untilWaiting(20);
    await Promise.all(sessions.map((made) => join(anonymous, made)));
    for (const page of await Promise.all(reading)) assert.equal(page.items[0]?.type, 'peer-joined');
  });
});

test('sessions with any number of files keep the order of the files', async () => {
  const sizes = [1, 9, 10, 99, 101, 110, 999];
  for (const size of sizes) {
    const files = Array.from({ length: size }, (_, index) => ({ name: `file ${index}`, size: index }));
    const made = await openOnline(anonymous, { files });
    const { data } = await lookUp(anonymous, made.pickupCode);
    assert.deepEqual(
      data.files.map(({ name }) => name),
      files.map(({ name }) => name),
    );
  }
});

describe('the storage of callers without a login', () => {
  test('is limited by address, without effect on other addresses', async () => {
    const limited = await startHoldall({ env: { HOLDALL_TRUST_PROXY: 'on' } });
    const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
    const relativePath = `${'p'.repeat(200)}/`.repeat(4);
    const files = Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}`, relativePath, size: 1 }));
    const create = (address: string) =>
      limited.anonymous.call<PeerSession>('POST', TRANSFERS, {
        body: { mode: 'ONLINE', files },
        ...from(address),
      });
    const answers = [];
    for (let turn = 0; turn < 60; turn += 1) answers.push(await create('198.51.100.1'));
    const counts = countStatuses(answers);
    assert.ok((counts[200] ?? 0) >= 40 && (counts[429] ?? 0) >= 5, JSON.stringify(counts));
    const last = answers.at(-1);
    assert.deepEqual([last?.status, last?.code], [429, 1429]);
    assert.ok(Number(last?.headers.get('retry-after')) > 60);

    const [first] = answers;
    assert.ok(first);
    const signals = `${signalsOf(first.data)}?role=sender`;
    const body = { type: 'x', payload: 'p'.repeat(60 * KIB) };
    let spent = 0;
    for (let turn = 0; turn < 40 && spent === 0; turn += 1) {
      const { status } = await limited.anonymous.call('POST', signals, { body, ...from('198.51.100.1') });
      if (status === 429) spent = turn + 1;
    }
    assert.ok(spent > 0, 'signals are charged too');
    await limited.anonymous.ask('POST', signals, { body, ...from('198.51.100.2') });
    const alice = await limited.register('alice');
    await alice.ask('POST', TRANSFERS, { body: { mode: 'ONLINE', files }, ...from('198.51.100.1') });
    limited.clock.advance(15 * 60_000);
    assert.equal((await create('198.51.100.1')).status, 200);
  });
});

test(
  'the storage of a caller with a login is limited by account, and ended transfers count',
  inFull,
  async () => {
    const limited = await startHoldall();
    const alice = await limited.register('alice');
    const relativePath = `${'p'.repeat(200)}/`.repeat(4);
    const files = Array.from({ length: 1_000 }, (_, index) => ({ name: `${index}`, relativePath, size: 1 }));
    const body = { mode: 'ONLINE', files };
    const answers = [];
    for (let turn = 0; turn < 60; turn += 1) {
      const answer = await alice.call<PeerSession>('POST', TRANSFERS, { body });
      answers.push(answer);
      if (answer.status !== 200) break;
      const { sessionId, peerToken } = answer.data;
      await alice.ask('DELETE', `${TRANSFERS}/${sessionId}`, withToken(peerToken));
    }
    const last = answers.at(-1);
    assert.deepEqual([last?.status, last?.code], [429, 1429]);
    assert.ok(answers.length > 40, `${answers.length}`);
    const bob = await limited.register('bob');
    assert.equal((await bob.call('POST', TRANSFERS, { body })).status, 200);
  },
);
