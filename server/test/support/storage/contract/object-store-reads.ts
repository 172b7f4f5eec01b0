import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { before, it } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { isFull } from '../../../../../tools/testing/tiers.ts';
import type { ByteRange } from '../../../../src/base/bytes/byte-range.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { send } from '../byte-sources.ts';
import { closed, failureOf, type GetStore, MIB, readAll } from '../store-assertions.ts';

export function testReads(getStore: GetStore): void {
  const bytes = randomBytes(MIB + 7);
  const key = 'test/read/object';
  before(async () => {
    await getStore().write(key, send(bytes));
  });

  const ranges: readonly ByteRange[] = [
    { start: 0, end: 0 },
    { start: 0, end: bytes.length - 1 },
    { start: 1, end: 10 },
    { start: 262_143, end: 262_144 },
    { start: bytes.length - 1, end: bytes.length - 1 },
  ];
  for (const range of ranges) {
    it(`returns the bytes ${range.start}-${range.end}, both included`, async () => {
      const expected = bytes.subarray(range.start, range.end + 1);
      assert.ok((await readAll(getStore(), key, range)).equals(expected));
      assert.ok((await getStore().read(key, range)).equals(expected));
    });
  }

  it('returns any range', async () => {
    const place = fc.nat({ max: bytes.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const range = { start: Math.min(one, other), end: Math.max(one, other) };
        const expected = bytes.subarray(range.start, range.end + 1);
        assert.ok((await readAll(getStore(), key, range)).equals(expected));
      }),
      { numRuns: isFull ? 25 : 8 },
    );
  });

  const outside: readonly ByteRange[] = [
    { start: 0, end: bytes.length },
    { start: bytes.length, end: bytes.length + 5 },
    { start: 5, end: 4 },
    { start: -1, end: 4 },
  ];
  for (const range of outside) {
    it(`fails instead of returning fewer bytes than ${range.start}-${range.end}`, async () => {
      await assert.rejects(getStore().open(key, range));
      await assert.rejects(getStore().read(key, range));
    });
  }

  it('fails with not-found for a missing object before it returns a stream', async () => {
    const range = { start: 0, end: 0 };
    for (const missing of ['test/read/nothing', 'test/read', `${key}/below`, 'test/other/nothing']) {
      assert.equal((await failureOf(getStore().open(missing))).kind, 'not-found');
      assert.equal((await failureOf(getStore().open(missing, range))).kind, 'not-found');
      assert.equal((await failureOf(getStore().read(missing, range))).kind, 'not-found');
      assert.equal(await getStore().find(missing), undefined);
    }
  });

  it('returns the key, size and time of an object', async () => {
    const begun = systemClock.now();
    await getStore().write('test/read/found', send(Buffer.alloc(42)));
    const found = await getStore().find('test/read/found');
    assert.ok(found !== undefined);
    assert.deepEqual([found.key, found.size], ['test/read/found', 42]);
    // Stores round to seconds, or use another clock on the same machine.
    assert.ok(Number.isInteger(found.modifiedAt) && Math.abs(found.modifiedAt - begun) < 5_000);
  });

  it('can be stopped early', async () => {
    const left = await getStore().open(key);
    for await (const _chunk of left) break;
    await closed(left);
    const unread = await getStore().open(key);
    unread.destroy();
    await closed(unread);
  });

  it('continues while the object is replaced or removed, or fails', async () => {
    const old = Buffer.alloc(8 * MIB, 1);
    await getStore().write('test/read/replaced', send(old));
    const stream = await getStore().open('test/read/replaced');
    await getStore().write('test/read/replaced', send(Buffer.alloc(8 * MIB, 2)));
    await getStore().remove(['test/read/replaced']);
    const found = await buffer(stream).catch(() => undefined);
    assert.ok(found === undefined || found.equals(old));
  });
}
