import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Batches } from './batches.ts';

/** Batches whose work ends when the test says so. */
function openBatches(most = 10) {
  const begun: (readonly number[])[] = [];
  const held: PromiseWithResolvers<void>[] = [];
  const batches = new Batches<number, number>(async (items) => {
    begun.push(items);
    const hold = Promise.withResolvers<void>();
    held.push(hold);
    await hold.promise;
    return items.map((item) => item * 10);
  }, most);
  const end = async (error?: Error) => {
    const hold = held.shift();
    if (error === undefined) hold?.resolve();
    else hold?.reject(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { batches, begun, end };
}

describe('batches', () => {
  it('begin at once, and gather those who come meanwhile', async () => {
    const { batches, begun, end } = openBatches();
    const results = [1, 2, 3].map((item) => batches.add(item));
    assert.deepEqual(begun, [[1]]);
    await end();
    assert.deepEqual(begun, [[1], [2, 3]]);
    await end();
    assert.deepEqual(await Promise.all(results), [10, 20, 30]);
    const later = batches.add(4);
    await end();
    assert.equal(await later, 40);
  });

  it('have at most as many items as they may', async () => {
    const { batches, begun, end } = openBatches(2);
    const results = [1, 2, 3, 4].map((item) => batches.add(item));
    for (let batch = 0; batch < 3; batch += 1) await end();
    assert.deepEqual(begun, [[1], [2, 3], [4]]);
    assert.deepEqual(await Promise.all(results), [10, 20, 30, 40]);
  });

  it('tell a failure to those whom it was for, and go on', async () => {
    const { batches, end } = openBatches();
    const first = batches.add(1);
    const second = batches.add(2);
    await Promise.all([assert.rejects(first, /lost/), end(new Error('lost'))]);
    await end();
    assert.equal(await second, 20);
  });
});
