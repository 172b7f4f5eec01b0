import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { it } from 'node:test';
import { inFull } from '../../../../../tools/testing/tiers.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { ObjectStore } from '../../../../src/storage/object-store.ts';
import { NOTHING_WRITTEN } from '../../../../src/storage/resumable-writes.ts';
import { cut, send } from '../byte-sources.ts';
import { assertMissing, assertPlainError, claimNothing, type GetStore, MIB } from '../store-assertions.ts';
import { PiecewiseWrite } from './piecewise-write.ts';

/** @param reopen opens another instance of the same store, as after a restart */
export function testPieces(getStore: GetStore, reopen: () => ObjectStore): void {
  const plans: readonly (readonly number[])[] = [
    [1],
    [1, 1, 1],
    [0, 10, 0],
    [5 * MIB],
    [5 * MIB, 1],
    [1, 5 * MIB],
    [8 * MIB + 1, 5 * MIB - 1],
  ];
  const morePlans: readonly (readonly number[])[] = [
    [8 * MIB - 1, 1],
    [8 * MIB, 8 * MIB],
    [3 * MIB, 3 * MIB, 3 * MIB, 17 * MIB + 3, 2],
  ];
  for (const plan of [...plans, ...morePlans]) {
    const options = plans.includes(plan) ? {} : inFull;
    it(`join pieces to one object: ${plan.join(', ')} bytes`, options, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `sizes-${plan.join('-')}`, sum(plan));
      for (const size of plan) {
        await write.append(size);
        const { tailKey } = write.point;
        assert.deepEqual(await write.listTails(), tailKey === null ? [] : [tailKey]);
      }
      await write.finishAndCheck();
    });
  }

  it('continue on another instance with each piece', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'instances', 21 * MIB);
    for (const size of [7 * MIB - 5, 10, 9 * MIB, 5 * MIB - 5]) {
      write.store = reopen();
      await write.append(size);
    }
    write.store = reopen();
    await write.finishAndCheck();
  });

  it('can create an empty object, with an empty piece or with none', async () => {
    const untouched = await PiecewiseWrite.begin(getStore(), 'untouched', 0);
    await untouched.finishAndCheck();
    const touched = await PiecewiseWrite.begin(getStore(), 'touched', 0);
    await touched.append(0);
    await touched.finishAndCheck();
  });

  it('are not visible before they are finished', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'hidden', 6 * MIB);
    await assertMissing(getStore(), write.key);
    await write.append();
    await assertMissing(getStore(), write.key);
    await write.finishAndCheck();
  });

  it('accept a piece of thousands of tiny chunks', inFull, async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'tiny', 5_000);
    await write.appendFrom(send(...Array.from(write.bytes, (_, at) => write.bytes.subarray(at, at + 1))));
    await write.finishAndCheck();
  });

  it('accept a stream as well as an iterable', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'stream', 300_000);
    const stream = new PassThrough();
    for (const chunk of cut(write.bytes, [1, 100_000])) stream.write(chunk);
    stream.end();
    await write.appendFrom(stream);
    await write.finishAndCheck();
  });

  it('report points one at a time, however slowly they are recorded', inFull, async () => {
    // Three points on S3, whose parts are of 8 MiB.
    const write = await PiecewiseWrite.begin(getStore(), 'slow', 24 * MIB);
    write.record = () => new Promise((resolve) => setTimeout(resolve, 20));
    const places = Array.from({ length: 384 }, (_, index) => index * 65_536);
    await write.appendFrom(send(...cut(write.bytes, places)));
    assert.equal(write.point.size, 24 * MIB);
    await write.finishAndCheck();
  });

  it('to different keys are independent', async () => {
    const writes = await Promise.all(
      [0, 1, 2, 3].map((number) => PiecewiseWrite.begin(getStore(), `apart-${number}`, 200_000)),
    );
    for (const _round of [1, 2]) await Promise.all(writes.map((write) => write.append(100_000)));
    await Promise.all(writes.map((write) => write.finishAndCheck()));
  });
}

/** @param reopen opens another instance of the same store, as after a restart */
export function testPieceEnds(getStore: GetStore, reopen: () => ObjectStore): void {
  for (const size of [0, 10, 9 * MIB]) {
    it(`may finish ${size} bytes again, also when the first success is unknown`, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `again-${size}`, size);
      await write.append();
      await write.finish();
      await write.finish();
      write.store = reopen();
      await write.finishAndCheck();
    });

    it(`does not finish ${size + 1} bytes if the last one is missing`, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `unfinished-${size}`, size + 1);
      await write.append(size);
      await assertPlainError(write.finish());
      await assertMissing(getStore(), write.key);
      await write.append(1);
      await write.finishAndCheck();
    });

    it(`drops ${size} bytes on abort, which may be repeated`, async () => {
      const write = await PiecewiseWrite.begin(getStore(), `aborted-${size}`, size + 1);
      await write.append(size);
      await write.abort();
      assert.deepEqual(await write.listTails(), []);
      await write.abort();
      write.store = reopen();
      await write.abort();
      await assertMissing(getStore(), write.key);
    });
  }

  it('keeps the object when the write is aborted after it was finished', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'finished', 6 * MIB);
    await write.append();
    await write.finish();
    await write.abort();
    await write.checkFinished();
  });

  it('does not finish an aborted write', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'dropped', 6 * MIB);
    await write.append();
    await write.abort();
    await assertPlainError(write.finish());
    await assertMissing(getStore(), write.key);
  });

  it('does not mistake an object of another size for the finished one', async () => {
    const write = await PiecewiseWrite.begin(getStore(), 'other', 6 * MIB);
    await write.append();
    await write.abort();
    await getStore().write(write.key, send(Buffer.alloc(10)));
    await assertPlainError(write.finish());
    assert.equal((await getStore().find(write.key))?.size, 10);
  });

  it('can abort an unknown write without an error', async () => {
    const unknown = await PiecewiseWrite.begin(getStore(), 'unknown', 10);
    await unknown.abort();
    await reopen().resumable.abort({ key: 'test/pieces/never', id: unknown.id, size: 10 }, NOTHING_WRITTEN);
  });

  it('removes abandoned writes unless they are claimed', async () => {
    const kept = await PiecewiseWrite.begin(getStore(), 'kept', 12 * MIB);
    const left = await PiecewiseWrite.begin(getStore(), 'left', 6 * MIB);
    for (const write of [kept, left]) await write.append(6 * MIB);
    const asked: string[] = [];
    const later = systemClock.now() + 60_000;
    const removed = await getStore().removeAbandonedWrites(later, async (keys) => {
      asked.push(...keys);
      return keys.filter((key) => key === kept.key);
    });
    assert.ok(removed >= 1 && asked.includes(kept.key) && asked.includes(left.key), asked.join());
    await assertPlainError(left.finish());
    await kept.append();
    await kept.finishAndCheck();
  });

  it('removes an abandoned write only when it is old, and once', async () => {
    const young = await PiecewiseWrite.begin(getStore(), 'young', 10);
    const now = systemClock.now();
    await getStore().removeAbandonedWrites(now - 60_000, claimNothing);
    await young.append();
    assert.equal(await getStore().removeAbandonedWrites(now + 60_000, claimNothing), 1);
    assert.equal(await getStore().removeAbandonedWrites(now + 60_000, claimNothing), 0);
  });
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, 0);
}
