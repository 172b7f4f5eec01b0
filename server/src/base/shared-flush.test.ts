import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedFlush } from './shared-flush.ts';

/** A flush whose end the test decides. */
function heldFlush() {
  const begun: { end(): void; fail(error: Error): void }[] = [];
  const flush = new SharedFlush(
    () => new Promise<void>((resolve, reject) => begun.push({ end: resolve, fail: reject })),
  );
  return { flush, begun };
}

test('those who come while a flush runs share the next one', async () => {
  const { flush, begun } = heldFlush();
  const ended: string[] = [];
  const first = flush.wait().then(() => ended.push('first'));
  await turn();
  const late = [flush.wait(), flush.wait(), flush.wait()].map((wait) => wait.then(() => ended.push('late')));
  await turn();
  assert.equal(begun.length, 1, 'the second flush waits for the first');

  begun[0]?.end();
  await first;
  await turn();
  assert.deepEqual(ended, ['first'], 'a flush that began before the call does not count');
  assert.equal(begun.length, 2);

  begun[1]?.end();
  await Promise.all(late);
  assert.equal(begun.length, 2, 'three shared one flush');
});

test('a flush that fails fails for those who waited for it, and for nobody else', async () => {
  const { flush, begun } = heldFlush();
  const first = flush.wait();
  await turn();
  const second = flush.wait();
  begun[0]?.fail(new Error('the disk is gone'));
  await assert.rejects(first, /the disk is gone/);
  await turn();
  begun[1]?.end();
  await second;
});
