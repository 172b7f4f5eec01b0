import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../api/api-error.ts';
import type { AskOptions, ask } from '../../../api/ask.ts';
import { Rendezvous } from './rendezvous.ts';

const PLACE = { sessionId: 's', peerToken: 'token' };

/** Answers each call as the test says. */
function asking(answer: (method: string, options: AskOptions) => unknown): typeof ask {
  // The caller names the type of what the test answers.
  return async <T>(method: string, _path: string, options: AskOptions = {}) => answer(method, options) as T;
}

function signal(cursor: number, type: string) {
  return { cursor, from: 'sender' as const, type, payload: null, createdAt: '' };
}

test('signals are heard in their order, through failures that pass, until the session is gone', async () => {
  const pages = [
    { items: [signal(1, 'a'), signal(2, 'b')], nextCursor: 2 },
    new ApiError(0, 'The service is out of reach.'),
    { items: [signal(5, 'c')], nextCursor: 5 },
    new ApiError(404, 'There is no such transfer.'),
  ];
  const cursors: unknown[] = [];
  const rendezvous = new Rendezvous(
    PLACE,
    asking((_, { query, headers }) => {
      assert.equal(headers?.['x-transfer-token'], 'token');
      cursors.push(query?.after);
      const page = pages.shift();
      if (page instanceof Error) throw page;
      return page;
    }),
  );
  const heard: string[] = [];
  const end = await rendezvous.follow(({ type }) => heard.push(type), new AbortController().signal);
  assert.equal(end, 'gone');
  assert.deepEqual(heard, ['a', 'b', 'c']);
  assert.deepEqual(cursors, [0, 2, 2, 5]);
});

test('nothing is heard any more once nobody listens', async () => {
  const stop = new AbortController();
  const rendezvous = new Rendezvous(
    PLACE,
    asking(() => ({ items: [signal(1, 'a'), signal(2, 'b')], nextCursor: 2 })),
  );
  const heard: string[] = [];
  const end = await rendezvous.follow(({ type }) => {
    heard.push(type);
    stop.abort();
  }, stop.signal);
  assert.equal(end, 'stopped');
  assert.deepEqual(heard, ['a']);
});

test('what is told goes one behind the other, and once more where it did not arrive', async () => {
  const sent: unknown[] = [];
  let failures = 1;
  const rendezvous = new Rendezvous(
    PLACE,
    asking((_, { body }) => {
      if (failures-- > 0) throw new ApiError(503, 'Not just now.');
      sent.push(body);
    }),
  );
  await Promise.all([rendezvous.tell('a'), rendezvous.tell('b', 1)]);
  assert.deepEqual(sent, [
    { type: 'a', payload: null },
    { type: 'b', payload: 1 },
  ]);
});
