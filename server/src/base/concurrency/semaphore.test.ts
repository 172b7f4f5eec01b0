// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextRound } from 'node:timers/promises';
import { Semaphore } from './semaphore.ts';

test('no more callers than permits work at the same time, and the others follow in the order of their calls', async () => {
  const semaphore = new Semaphore(2);
  const started: number[] = [];
  let running = 0;
  let maxRunning = 0;
  const work = (id: number) =>
    semaphore.run(async () => {
      started.push(id);
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await nextRound();
      running -= 1;
      return id;
    });
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(work)), [1, 2, 3, 4, 5]);
  assert.deepEqual(started, [1, 2, 3, 4, 5]);
  assert.equal(maxRunning, 2);
});

test('work that fails releases its permit', async () => {
  const semaphore = new Semaphore(1);
  await assert.rejects(
    semaphore.run(async () => {
      throw new Error('broken');
    }),
    /broken/,
  );
  assert.equal(await semaphore.run(async () => 'done'), 'done');
});

test('a call is rejected at once when the queue is full', async () => {
  const semaphore = new Semaphore(1, 1);
  await semaphore.acquire();
  const second = semaphore.acquire();
  await assert.rejects(semaphore.acquire(), { name: 'Failure', kind: 'unavailable', retryAfterSeconds: 1 });
  semaphore.release();
  await second;
});

test('an aborted call leaves the queue and takes no permit', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const abort = new AbortController();
  const second = semaphore.acquire(abort.signal);
  const third = semaphore.acquire();
  const reason = new Error('the client is gone');
  abort.abort(reason);
  await assert.rejects(second, reason);
  assert.equal(semaphore.waitingCount, 1);
  semaphore.release();
  await third;
  semaphore.release();
  await semaphore.acquire();
});

test('a call with an aborted signal is rejected although there are free permits', async () => {
  const semaphore = new Semaphore(1);
  await assert.rejects(semaphore.acquire(AbortSignal.abort()), { name: 'AbortError' });
  await semaphore.acquire();
});

test('a signal that is aborted after the permit was given changes nothing', async () => {
  const semaphore = new Semaphore(1);
  await semaphore.acquire();
  const abort = new AbortController();
  const second = semaphore.acquire(abort.signal);
  semaphore.release();
  abort.abort();
  await second;
  const third = semaphore.acquire();
  await nextRound();
  assert.equal(semaphore.waitingCount, 1);
  semaphore.release();
  await third;
});
