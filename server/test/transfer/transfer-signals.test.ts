// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { startHoldall } from '../support/app/holdall.ts';
import {
  join,
  leave,
  lookUp,
  openOnline,
  Peer,
  receiverUrl,
  TRANSFERS,
  withToken,
} from '../support/transfer/transfer.ts';

let signalQueries = 0;
// Without task workers, which would also count as waiters.
const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' };
const holdall = await startHoldall({
  env,
  onQuery: ({ sql }) => {
    if (sql.includes('transfer_signal')) signalQueries += 1;
  },
});
const { anonymous, app } = holdall;

/** Opens a session and joins it. */
async function openAndJoin(more: object = {}) {
  const made = await openOnline(anonymous, more);
  const joined = await join(anonymous, made);
  return { made, joined, sender: new Peer(anonymous, made), receiver: new Peer(anonymous, joined) };
}

const untilWaiting = () => waitUntil('a read waits', () => app.database.wakeups.waiterCount > 0);

describe('signals', () => {
  test('reach the other side in order, after the signal that the receiver joined', async () => {
    const { sender, receiver } = await openAndJoin();
    const offer = await sender.send('offer', { sdp: 'v=0\r\n', nothing: null, list: [1, 'é\u0001'] });
    assert.deepEqual([offer.cursor, offer.from, offer.type], [2, 'sender', 'offer']);
    await sender.send('candidate', 'text');
    await receiver.send('answer');
    const toReceiver = await receiver.read();
    assert.deepEqual(
      toReceiver.items.map(({ cursor, from, type, payload }) => ({ cursor, from, type, payload })),
      [
        {
          cursor: 2,
          from: 'sender',
          type: 'offer',
          payload: { sdp: 'v=0\r\n', nothing: null, list: [1, 'é\u0001'] },
        },
        { cursor: 3, from: 'sender', type: 'candidate', payload: 'text' },
      ],
    );
    assert.equal(toReceiver.nextCursor, 3);
    assert.deepEqual(await receiver.read(3), { items: [], nextCursor: 3 });
    const toSender = await sender.read();
    assert.deepEqual(
      toSender.items.map(({ cursor, from, type, payload }) => ({ cursor, from, type, payload })),
      [
        { cursor: 1, from: 'receiver', type: 'peer-joined', payload: null },
        { cursor: 4, from: 'receiver', type: 'answer', payload: null },
      ],
    );
    assert.match(toSender.items[0]?.createdAt ?? '', /^\d{4}-.*Z$/);
  });

  test('are filtered by the role in the query or body; without a role all are returned', async () => {
    const { sessionId } = await openOnline(anonymous);
    const url = `${TRANSFERS}/${sessionId}/signals`;
    await anonymous.ask('POST', `${url}?role=sender`, { body: { type: 'a', role: 'receiver' } });
    await anonymous.ask('POST', url, { body: { type: 'b', role: 'receiver' } });
    const read = async (query: string) => {
      const page = await anonymous.ask<{ items: { type: string }[] }>('GET', `${url}${query}`);
      return page.items.map(({ type }) => type);
    };
    assert.deepEqual(await read('?role=receiver'), ['a']);
    assert.deepEqual(await read('?role=sender'), ['b']);
    assert.deepEqual(await read(''), ['a', 'b']);
    assert.deepEqual(await read('?after=1'), ['b']);
  });

  test('that are malformed are rejected and do not affect others', async () => {
    const { made, sender, receiver } = await openAndJoin();
    const url = `${TRANSFERS}/${made.sessionId}/signals`;
    const as = `${url}?role=sender`;
    for (const body of [{}, [], 'text', { type: 5 }, { type: '' }, { type: 'x'.repeat(129) }, null]) {
      await anonymous.refused(400, 1000, 'POST', as, { body: JSON.stringify(body), ...JSON_HEADERS });
    }
    await anonymous.refused(400, 1000, 'POST', as, { body: '{"type":', ...JSON_HEADERS });
    await anonymous.refused(400, 1000, 'POST', url, { body: { type: 'x' } });
    await anonymous.refused(400, 1000, 'POST', url, { body: { type: 'x', role: 'both' } });
    await anonymous.refused(400, 1000, 'POST', `${url}?role=both`, { body: { type: 'x' } });
    for (const query of ['role=both', 'after=-1', 'after=x', 'waitSeconds=26', 'waitSeconds=-1']) {
      await anonymous.refused(400, 1000, 'GET', `${url}?${query}`);
    }
    await sender.send('offer');
    assert.equal((await receiver.read()).items.length, 1);
  });

  test('may be up to 64 KiB large', async () => {
    const { made, receiver } = await openAndJoin();
    const url = `${TRANSFERS}/${made.sessionId}/signals?role=sender`;
    const frame = JSON.stringify({ type: 'x', payload: '' }).length;
    const payload = 'p'.repeat(64 * 1024 - frame);
    await anonymous.ask('POST', url, { body: { type: 'x', payload } });
    await anonymous.refused(413, 1003, 'POST', url, { body: { type: 'x', payload: `${payload}p` } });
    assert.deepEqual(
      (await receiver.read()).items.map((signal) => signal.payload),
      [payload],
    );
  });

  test('are limited to a thousand unread; reading makes room', async () => {
    const { made, sender, receiver } = await openAndJoin();
    await app.database.transact(async (tx) => {
      for (let cursor = 2; cursor <= 999; cursor += 1) {
        await tx
          .insertInto('transfer_signal')
          .values({
            session_id: made.sessionId,
            cursor,
            sent_by: 'sender',
            message: '{"type":"x","payload":null}',
            created_at: 1,
          })
          .execute();
      }
      await tx
        .updateTable('transfer_session')
        .set({ last_cursor: 999, signal_count: 999 })
        .where('id', '=', made.sessionId)
        .execute();
    });
    await sender.send('last');
    const refused = await anonymous.refused(429, 1429, 'POST', sender.signalsUrl, {
      body: { type: 'one more' },
      ...withToken(made.peerToken),
    });
    assert.ok(Number(refused.headers.get('retry-after')) >= 1);
    const seen: number[] = [];
    for (let after = 0; after < 1_000; ) {
      const page = await receiver.read(after);
      seen.push(...page.items.map(({ cursor }) => cursor));
      after = page.nextCursor;
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 999 }, (_, index) => index + 2),
    );
    const { cursor } = await sender.send('one more');
    assert.equal(cursor, 1_001);
    assert.deepEqual(
      (await receiver.read(1_000)).items.map(({ type }) => type),
      ['one more'],
    );
    assert.equal(
      (await sender.read()).items[0]?.type,
      'peer-joined',
      'signals that this side has not read are kept',
    );
  });
});

const JSON_HEADERS = { headers: { 'content-type': 'application/json' } };

describe('a peer token', () => {
  test('determines the role, whatever the query says', async () => {
    const { made, receiver } = await openAndJoin();
    const url = `${TRANSFERS}/${made.sessionId}/signals?role=receiver`;
    await anonymous.ask('POST', url, { body: { type: 'mine' }, ...withToken(made.peerToken) });
    assert.equal((await receiver.read()).items[0]?.from, 'sender');
  });

  test('must belong to the session', async () => {
    const { made } = await openAndJoin();
    const other = await openOnline(anonymous);
    const url = `${TRANSFERS}/${made.sessionId}/signals?role=sender`;
    await anonymous.refused(403, 1002, 'GET', url, withToken(other.peerToken));
    await anonymous.refused(403, 1002, 'POST', url, { body: { type: 'x' }, ...withToken('no') });
  });

  test('is required in strict sessions', async () => {
    const { made, sender, receiver } = await openAndJoin({ requirePeerToken: true });
    const url = `${TRANSFERS}/${made.sessionId}/signals?role=sender`;
    await anonymous.refused(403, 1002, 'GET', url);
    await anonymous.refused(403, 1002, 'POST', url, { body: { type: 'x' } });
    await sender.send('offer');
    assert.equal((await receiver.read()).items[0]?.type, 'offer');
  });
});

describe('a receiver who leaves', () => {
  const typesOf = async (peer: Peer) => (await peer.read()).items.map(({ type }) => type);

  test('frees the code, and the next receiver reads none of the earlier signals', async () => {
    const { made, joined, sender, receiver } = await openAndJoin({ requirePeerToken: true });
    await sender.send('description', 'for the first');
    await receiver.send('description', 'of the first');
    await leave(anonymous, joined);
    assert.equal((await lookUp(anonymous, made.pickupCode)).data.status, 'WAITING');
    assert.deepEqual(await typesOf(sender), ['peer-left']);

    const next = new Peer(anonymous, await join(anonymous, made));
    assert.deepEqual(await typesOf(next), []);
    await sender.send('description', 'for the next');
    assert.deepEqual(await typesOf(next), ['description']);
    assert.deepEqual(await typesOf(sender), ['peer-left', 'peer-joined']);
  });

  test('can no longer use the session or remove the next receiver', async () => {
    const { made, joined, receiver } = await openAndJoin();
    const old = withToken(joined.peerToken);
    const polling = anonymous.call('GET', `${receiver.signalsUrl}?waitSeconds=25`, old);
    await untilWaiting();
    await leave(anonymous, joined);
    assert.equal((await polling).status, 403);
    await join(anonymous, made);
    await anonymous.refused(403, 1002, 'POST', receiver.signalsUrl, { body: { type: 'done' }, ...old });
    await anonymous.refused(403, 2403, 'DELETE', receiverUrl(made.sessionId), old);
    assert.equal((await lookUp(anonymous, made.pickupCode)).data.status, 'JOINED');
  });

  test('without notice can be removed by the sender, and by no one else', async () => {
    const { made } = await openAndJoin();
    const url = receiverUrl(made.sessionId);
    const other = await openOnline(anonymous);
    await anonymous.refused(403, 2403, 'DELETE', url);
    await anonymous.refused(403, 2403, 'DELETE', url, withToken(other.peerToken));
    await leave(anonymous, made);
    await leave(anonymous, made);
    await join(anonymous, made);
  });
});

describe('a long poll', () => {
  test('is answered by a signal long before its timeout, without queries meanwhile', inFull, async () => {
    const { sender, receiver } = await openAndJoin();
    for (let after = 1, turn = 0; turn < 10; turn += 1) {
      const reading = receiver.read(after, 25);
      await untilWaiting();
      if (turn === 5) {
        // The read queries once, perhaps shortly after it has begun to wait.
        for (let seen = -1; seen !== signalQueries; await sleep(500)) seen = signalQueries;
        const before = signalQueries;
        await sleep(1_000);
        assert.equal(signalQueries, before);
      }
      const sent = performance.now();
      await sender.send('offer', turn);
      const page = await reading;
      // A generous bound: other tests may have the processor.
      assert.ok(performance.now() - sent < 10_000);
      assert.deepEqual(
        page.items.map(({ payload }) => payload),
        [turn],
      );
      after = page.nextCursor;
    }
  });

  test('answers at once if there are signals, and with an empty page at its timeout', inFull, async () => {
    const { sender, receiver } = await openAndJoin();
    await sender.send('offer');
    const { items, nextCursor } = await receiver.read(0, 25);
    assert.equal(items.length, 1);
    const began = performance.now();
    assert.deepEqual(await receiver.read(nextCursor, 1), { items: [], nextCursor });
    const waited = performance.now() - began;
    assert.ok(waited >= 950 && waited < 20_000, `${waited} ms`);
  });

  test("is not answered by its own side's signals", async () => {
    const { sender } = await openAndJoin();
    const reading = sender.read(1, 2);
    await untilWaiting();
    await sender.send('offer');
    assert.deepEqual(await reading, { items: [], nextCursor: 1 });
  });

  test('ends when its client disconnects', async () => {
    const { receiver } = await openAndJoin();
    const disconnecting = new AbortController();
    const reading = receiver.read(1, 25, disconnecting.signal);
    await untilWaiting();
    disconnecting.abort();
    await assert.rejects(reading, { name: 'AbortError' });
    await waitUntil('the read ends', () => app.database.wakeups.waiterCount === 0);
  });

  test('ends with 404 when the sender ends the session', async () => {
    const { made, receiver } = await openAndJoin();
    const reading = anonymous.call('GET', `${receiver.signalsUrl}?after=1&role=receiver&waitSeconds=25`);
    await untilWaiting();
    await anonymous.ask('DELETE', `${TRANSFERS}/${made.sessionId}`, withToken(made.peerToken));
    assert.equal((await reading).status, 404);
  });

  test('ends with 404 when the session expires', inFull, async () => {
    const short = await startHoldall({ env: { HOLDALL_ONLINE_TRANSFER_TTL: '700ms' } });
    const { sessionId } = await openOnline(short.anonymous);
    const began = performance.now();
    await short.anonymous.refused(404, 1003, 'GET', `${TRANSFERS}/${sessionId}/signals?waitSeconds=25`);
    assert.ok(performance.now() - began < 20_000);
  });

  test('does not delay the shutdown of the service', inFull, async () => {
    const ending = await startHoldall({ env });
    const made = await openOnline(ending.anonymous);
    const reading = new Peer(ending.anonymous, made).read(0, 25);
    await waitUntil('the read waits', () => ending.app.database.wakeups.waiterCount > 0);
    const began = performance.now();
    await ending.app.close();
    assert.ok(performance.now() - began < 20_000);
    assert.deepEqual((await reading).items, []);
  });
});
