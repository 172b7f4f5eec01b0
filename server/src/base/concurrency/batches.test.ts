// tier: default
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Batches } from './batches.ts';

/** Batches that end when the test calls `end`. */
function openBatches(maxSize = 10) {
  const begun: (readonly number[])[] = [];
  const held: PromiseWithResolvers<void>[] = [];
  const batches = new Batches<number, number>(async (requests) => {
    begun.push(requests);
    const hold = Promise.withResolvers<void>();
    held.push(hold);
    await hold.promise;
    return requests.map((request) => request * 10);
  }, maxSize);
  const end = async (error?: Error) => {
    const hold = held.shift();
    if (error === undefined) hold?.resolve();
    else hold?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batches, begun, end };
}

describe('Batches', () => {
  it('start at once, and collect the requests that arrive meanwhile for the next batch', async () => {
    const { batches, begun, end } = openBatches();
    const results = [1, 2, 3].map((request) => batches.add(request));
    assert.deepEqual(begun, [[1]]);
    await end();
    assert.deepEqual(begun, [[1], [2, 3]]);
    await end();
    assert.deepEqual(await Promise.all(results), [10, 20, 30]);
    const later = batches.add(4);
    await end();
    assert.equal(await later, 40);
  });

  it('have at most maxSize requests each', async () => {
    const { batches, begun, end } = openBatches(2);
    const results = [1, 2, 3, 4].map((request) => batches.add(request));
    for (let batch = 0; batch < 3; batch += 1) await end();
    assert.deepEqual(begun, [[1], [2, 3], [4]]);
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40]);
  });

  it('reject the requests of a failed batch only, and continue', async () => {
    const { batches, end } = openBatches();
    const first = batches.add(1);
    const second = batches.add(2);
    await Promise.all([assert.rejects(first, /lost/), end(new Error('lost'))]);
    await end();
    assert.equal(await second, 20);
  });
});
