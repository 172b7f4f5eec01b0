// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DataOf, DataOperation } from '../../../../../client/src/client.ts';
import { errorOf } from '../../../../../client/src/errors/read-error.ts';
import type { ask } from '../../../api/ask.ts';
import { openRendezvous } from './open-rendezvous.ts';

const PLACE = { sessionId: 's', peerToken: 'token' };

/** The parameters of the signal calls that the tests need. */
interface Call {
  readonly query?: { readonly after?: number };
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Answers each call with the result of `answer`. */
function asking(answer: (call: Call) => unknown): typeof ask {
  return async <Name extends DataOperation>(_: Name, ...[call]: readonly unknown[]) =>
    // Each test returns the data that matches the call.
    answer(call as Call) as DataOf<Name>;
}

function signal(cursor: number, type: string) {
  return { cursor, from: 'sender' as const, type, payload: null, createdAt: '' };
}

test('signals arrive in order despite temporary failures, until the session ends', async () => {
  const pages = [
    { items: [signal(1, 'a'), signal(2, 'b')], nextCursor: 2 },
    errorOf(0, 'The service cannot be reached.'),
    { items: [signal(5, 'c')], nextCursor: 5 },
    errorOf(404, 'There is no such transfer.'),
  ];
  const cursors: unknown[] = [];
  const rendezvous = openRendezvous(
    PLACE,
    asking(({ query, headers }) => {
      assert.equal(headers?.['x-transfer-token'], 'token');
      cursors.push(query?.after);
      const page = pages.shift();
      if (page instanceof Error) throw page;
      return page;
    }),
  );
  const received: string[] = [];
  const end = await rendezvous.follow(({ type }) => received.push(type), new AbortController().signal);
  assert.equal(end, 'gone');
  assert.deepEqual(received, ['a', 'b', 'c']);
  assert.deepEqual(cursors, [0, 2, 2, 5]);
});

test('no signals arrive after the listener has stopped', async () => {
  const stop = new AbortController();
  const rendezvous = openRendezvous(
    PLACE,
    asking(() => ({ items: [signal(1, 'a'), signal(2, 'b')], nextCursor: 2 })),
  );
  const received: string[] = [];
  const end = await rendezvous.follow(({ type }) => {
    received.push(type);
    stop.abort();
  }, stop.signal);
  assert.equal(end, 'stopped');
  assert.deepEqual(received, ['a']);
});

test('signals are sent one after another, and retried if sending fails', async () => {
  const sent: unknown[] = [];
  let failures = 1;
  const rendezvous = openRendezvous(
    PLACE,
    asking(({ body }) => {
      if (failures-- > 0) throw errorOf(503, 'Not just now.');
      sent.push(body);
    }),
  );
  await Promise.all([rendezvous.sendSignal('a'), rendezvous.sendSignal('b', 1)]);
  assert.deepEqual(sent, [
    { type: 'a', payload: null },
    { type: 'b', payload: 1 },
  ]);
});
