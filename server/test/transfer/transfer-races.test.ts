// tier: default
// runs on: postgres
// runs on, with --full: sqlite
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import {
  join,
  lookUp,
  openOnline,
  Peer,
  type PeerSession,
  receiverUrl,
  type Signal,
  TRANSFERS,
  withToken,
} from '../support/transfer/transfer.ts';

// Without task workers, which would also count as waiters.
const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' };
const holdall = await startHoldall({ env });
const another = isPostgres ? await startHoldall({ beside: holdall, env }) : undefined;
const urls = [holdall, another].flatMap((one) => one?.url ?? []);
const strangers = urls.map((url) => new Person('stranger', url));
const [here, there = here] = strangers as [Person, Person?];

/** Reads the signals of a peer until `count` have arrived. */
async function follow(peer: Peer, count: number): Promise<readonly Signal[]> {
  const seen: Signal[] = [];
  for (let after = 0; seen.length < count; ) {
    const page = await peer.read(after, 25);
    assert.ok(page.items.length > 0, `after ${seen.length} of ${count} nothing came`);
    seen.push(...page.items);
    after = page.nextCursor;
  }
  return seen;
}

describe('of 30 concurrent joins', () => {
  it('one succeeds, and the sender gets one signal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const made = await openOnline(here);
      const answers = await race(strangers, 30, (person) =>
        person.call<PeerSession>('POST', `${TRANSFERS}/${made.sessionId}/join`),
      );
      assert.deepEqual(countStatuses(answers), { 200: 1, 409: 29 });
      const { items } = await new Peer(here, made).read();
      assert.deepEqual(
        items.map(({ type }) => type),
        ['peer-joined'],
      );
      const winner = answers.find(({ status }) => status === 200);
      assert.ok(winner);
      await new Peer(there, winner.data).send('mine');
    }
  });
});

describe('under concurrent leaves, joins and signals', () => {
  it('each receiver leaves once, and the sender gets every signal of the last one', async () => {
    const made = await openOnline(here);
    const first = await join(there, made);
    const url = receiverUrl(made.sessionId);
    const answers = await race(strangers, 30, (person, index) => {
      if (index % 3 === 0) return person.call('DELETE', url, withToken(first.peerToken));
      if (index % 3 === 1) return person.call<PeerSession>('POST', `${TRANSFERS}/${made.sessionId}/join`);
      const message = { body: { type: 'old' }, ...withToken(first.peerToken) };
      return person.call('POST', `${TRANSFERS}/${made.sessionId}/signals`, message);
    });
    assert.deepEqual(countStatuses(answers.filter((_, index) => index % 3 === 0)), { 200: 1, 403: 9 });
    const joins = answers.filter((_, index) => index % 3 === 1);
    assert.ok(joins.filter(({ status }) => status === 200).length <= 1, 'one at most joins');
    const { items } = await new Peer(here, made).read();
    assert.equal(items[0]?.type, 'peer-left');
    assert.ok(items.every(({ type }) => type !== 'old'));
    const { signal_count: counted } = await holdall.app.database.db
      .selectFrom('transfer_session')
      .select('signal_count')
      .where('id', '=', made.sessionId)
      .executeTakeFirstOrThrow();
    assert.equal(Number(counted), items.length);
  });
});

describe('of concurrent transfers of one account', () => {
  for (const mode of ['ONLINE', 'OFFLINE']) {
    it(`a hundred ${mode} ones are live at the same time`, async () => {
      const carol = await holdall.register(`carol-${mode.toLowerCase()}`);
      const body = { mode, files: [{ name: 'a.txt', size: 1 }] };
      const answers = await race(atEveryInstance(carol, urls), 110, (person) =>
        person.call<PeerSession>('POST', TRANSFERS, { body }),
      );
      assert.deepEqual(countStatuses(answers), { 200: 100, 413: 10 });
      const made = answers.find(({ status }) => status === 200)?.data;
      assert.ok(made);
      await carol.ask('DELETE', `${TRANSFERS}/${made.sessionId}`, withToken(made.peerToken));
      await carol.ask('POST', TRANSFERS, { body });
    });
  }
});

describe('concurrent signals from both sides', () => {
  it('keep their order per side, have cursors without gaps, and none is lost', async () => {
    const made = await openOnline(here);
    const joined = await join(there, made);
    const sender = new Peer(here, made);
    const receiver = new Peer(there, joined);
    const count = 60;
    const speak = async (peer: Peer) => {
      for (let number = 0; number < count; number += 1) await peer.send('n', number);
    };
    const [toReceiver, toSender] = await Promise.all([
      follow(receiver, count),
      follow(sender, count + 1),
      speak(sender),
      speak(receiver),
    ]);
    const numbers = Array.from({ length: count }, (_, index) => index);
    assert.deepEqual(
      toReceiver.map(({ payload }) => payload),
      numbers,
    );
    assert.deepEqual(
      toSender.map(({ payload }) => payload),
      [null, ...numbers],
    );
    const cursors = [...toReceiver, ...toSender].map(({ cursor }) => cursor).toSorted((a, b) => a - b);
    assert.deepEqual(
      cursors,
      Array.from({ length: 2 * count + 1 }, (_, index) => index + 1),
    );
  });

  it('from one sender all reach a reader that polls meanwhile', async () => {
    const made = await openOnline(here);
    const joined = await join(there, made);
    const following = follow(new Peer(there, joined), 100);
    const doors = strangers.map((person) => new Peer(person, made));
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => doors[index % doors.length]?.send('n', index)),
    );
    const payloads = (await following).map(({ payload }) => Number(payload)).toSorted((a, b) => a - b);
    assert.deepEqual(
      payloads,
      Array.from({ length: 100 }, (_, index) => index),
    );
  });
});

describe('a session that is ended while it is used', () => {
  it('ends once; every other call succeeds before that, or gets 404', async () => {
    const made = await openOnline(here);
    const url = `${TRANSFERS}/${made.sessionId}`;
    const answers = await race(strangers, 30, (person, index) => {
      if (index % 3 === 0) return person.call('DELETE', url, withToken(made.peerToken));
      if (index % 3 === 1) return person.call('POST', `${url}/signals?role=sender`, { body: { type: 'x' } });
      return person.call('GET', `${url}/signals?role=receiver&waitSeconds=10`);
    });
    const ends = answers.filter((_, index) => index % 3 === 0);
    assert.deepEqual(countStatuses(ends), { 200: 1, 404: 9 });
    for (const { status } of answers) assert.ok(status === 200 || status === 404, String(status));
    assert.equal((await lookUp(here, made.pickupCode)).status, 404);
    const left = await holdall.app.database.db
      .selectFrom('transfer_signal')
      .select('cursor')
      .where('session_id', '=', made.sessionId)
      .execute();
    assert.deepEqual(left, []);
  });
});

for (const [what, limits] of [
  ['the offline limit', { HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '1050' }],
  [
    'the share of one account in it',
    { HOLDALL_OFFLINE_STORAGE_LIMIT_BYTES: '10500', HOLDALL_DEFAULT_MAX_UPLOAD_BYTES: '500' },
  ],
] as const) {
  it(`${what} is never exceeded by 30 concurrent announcements`, async () => {
    const limited = { ...env, ...limits };
    const narrow = await startHoldall({ env: limited });
    const doors = isPostgres
      ? [narrow.url, (await startHoldall({ beside: narrow, env: limited })).url]
      : [narrow.url];
    const owner = atEveryInstance(await narrow.register('owner'), doors);
    const body = { mode: 'OFFLINE', files: [{ name: 'a', size: 100 }] };
    const answers = await race(owner, 30, (person) => person.call('POST', TRANSFERS, { body }));
    assert.deepEqual(countStatuses(answers), { 200: 10, 413: 20 });
  });
}

describe('the files of one session, uploaded concurrently and repeatedly', () => {
  it('make it READY once, each file with the bytes of one upload', async () => {
    const owner = atEveryInstance(await holdall.register('owner'), urls);
    const files = ['a', 'b', 'c'].map((name) => ({ name, size: 1 }));
    const body = { mode: 'OFFLINE', files };
    const made = await here.with(owner[0]?.login).ask<PeerSession>('POST', TRANSFERS, { body });
    const answers = await race(owner, 30, (person, index) =>
      person.call('POST', `${TRANSFERS}/${made.sessionId}/files/${made.files[index % 3]?.id}/content`, {
        body: String(index % 10),
        headers: { 'content-type': 'application/octet-stream' },
      }),
    );
    for (const { status } of answers) assert.ok(status === 200 || status === 400, String(status));
    const { data } = await lookUp(here, made.pickupCode);
    assert.equal(data.status, 'READY');
    const taker = atEveryInstance(await holdall.register('taker'), urls);
    const url = `${TRANSFERS}/${made.sessionId}`;
    const fileUrl = `${url}/files/${made.files[0]?.id}`;
    const mixed = await race(taker, 20, (person, index) =>
      index === 10
        ? person.call('DELETE', url, withToken(made.peerToken))
        : person.call('POST', `${fileUrl}/import`, { body: { path: `/taken/${index}` } }),
    );
    for (const { status } of mixed) assert.ok(status === 200 || status === 404, String(status));
    await checkBooks(holdall);
  });
});

if (another !== undefined) {
  describe('on two instances', () => {
    it('a long poll on one is woken by a signal sent to the other', async () => {
      const made = await openOnline(here);
      const joined = await join(there, made);
      const sender = new Peer(here, made);
      const receiver = new Peer(there, joined);
      for (let after = 0, turn = 0; turn < 20; turn += 1) {
        // Without the signal, the answer comes after 25 seconds.
        const reading = receiver.read(after, 25, AbortSignal.timeout(20_000));
        await waitUntil('the read waits', () => another.app.database.wakeups.waiterCount > 0);
        await sender.send('n', turn);
        after = (await reading).nextCursor;
      }
    });
  });
}
