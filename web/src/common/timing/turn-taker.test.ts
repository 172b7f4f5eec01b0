// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TurnTaker } from './turn-taker.ts';

const NEVER = new AbortController().signal;

test('only a few calls run at a time, in order, and a failed call gives its turn to the next', async () => {
  const turns = new TurnTaker(2);
  const begun: number[] = [];
  const calls = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const ends = calls.map(({ promise }, index) =>
    turns.run(() => {
      begun.push(index);
      return promise;
    }, NEVER),
  );
  const outcome = Promise.allSettled(ends);
  assert.deepEqual(begun, [0, 1]);
  calls[1]?.reject(new Error('failed'));
  await assert.rejects(ends[1] ?? assert.fail());
  calls[0]?.resolve();
  await ends[0];
  assert.deepEqual(begun, [0, 1, 2, 3]);
  for (const { resolve } of calls) resolve();
  assert.deepEqual(
    (await outcome).map(({ status }) => status === 'fulfilled'),
    [true, false, true, true, true],
  );
  await turns.run(async () => begun.push(5), NEVER);
  assert.deepEqual(begun, [0, 1, 2, 3, 4, 5]);
});

test('a call that is aborted while it waits never runs', async () => {
  const turns = new TurnTaker(1);
  const first = Promise.withResolvers<void>();
  const stop = new AbortController();
  const running = turns.run(() => first.promise, NEVER);
  const waiting = turns.run(() => assert.fail('ran'), stop.signal);
  stop.abort(new Error('stopped'));
  first.resolve();
  await running;
  await assert.rejects(waiting, /stopped/);
});
