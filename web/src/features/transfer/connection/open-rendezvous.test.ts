// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../api/api-error.ts';
import type { AskOptions, ask } from '../../../api/ask.ts';
import { openRendezvous } from './open-rendezvous.ts';

const PLACE = { sessionId: 's', peerToken: 'token' };

/** Answers each call with the result of `answer`. */
function asking(answer: (method: string, options: AskOptions) => unknown): typeof ask {
  // The caller states the type of the answer.
  return async <T>(method: string, _path: string, options: AskOptions = {}) => answer(method, options) as T;
}

function signal(cursor: number, type: string) {
  return { cursor, from: 'sender' as const, type, payload: null, createdAt: '' };
}

test('signals arrive in order, despite temporary failures, until the session is gone', async () => {
  const pages = [
    { items: [signal(1, 'a'), signal(2, 'b')], nextCursor: 2 },
    new ApiError(0, 'The service cannot be reached.'),
    { items: [signal(5, 'c')], nextCursor: 5 },
    new ApiError(404, 'There is no such transfer.'),
  ];
  const cursors: unknown[] = [];
  const rendezvous = openRendezvous(
    PLACE,
    asking((_, { query, headers }) => {
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

test('signals are sent one after another, and again if sending failed', async () => {
  const sent: unknown[] = [];
  let failures = 1;
  const rendezvous = openRendezvous(
    PLACE,
    asking((_, { body }) => {
      if (failures-- > 0) throw new ApiError(503, 'Not just now.');
      sent.push(body);
    }),
  );
  await Promise.all([rendezvous.sendSignal('a'), rendezvous.sendSignal('b', 1)]);
  assert.deepEqual(sent, [
    { type: 'a', payload: null },
    { type: 'b', payload: 1 },
  ]);
});
