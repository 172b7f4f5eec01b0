// tier: default
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { PartBuffer } from './part-buffer.ts';

const KIB = 1024;

test('a part takes bytes up to its capacity and returns the rest', () => {
  const sizes = fc.array(fc.oneof(fc.nat(300), fc.nat(400 * KIB)), { maxLength: 8 });
  fc.assert(
    fc.property(sizes, fc.nat(600 * KIB), fc.boolean(), (lengths, capacity, isReused) => {
      const memory = isReused ? Buffer.alloc(capacity, 255) : undefined;
      const part = new PartBuffer(capacity, memory);
      const chunks = lengths.map((length) => randomBytes(length));
      const all = Buffer.concat(chunks);
      const rests = chunks.map((chunk) => part.add(chunk) ?? Buffer.alloc(0));
      assert.ok(part.bytes().equals(all.subarray(0, capacity)));
      assert.equal(part.size, Math.min(capacity, all.length));
      assert.equal(part.isFull, all.length >= capacity);
      assert.ok(Buffer.concat(rests).equals(all.subarray(capacity)));
    }),
    { numRuns: 50 },
  );
});

test('a part of any size computes its digest', async () => {
  for (const size of [0, 10, 5 * KIB * KIB + 1]) {
    const part = new PartBuffer(8 * KIB * KIB);
    const bytes = randomBytes(size);
    part.add(bytes);
    const digest = await part.digest();
    assert.equal(digest.size, size);
    assert.equal(digest.sha256, createHash('sha256').update(bytes).digest('hex'));
  }
});

test('a part allocates no buffer for a few bytes, and does not reuse one that is too small', () => {
  const small = new PartBuffer(8 * KIB * KIB);
  small.add(randomBytes(10));
  assert.equal(small.memory, undefined);
  const memory = Buffer.alloc(10);
  assert.equal(new PartBuffer(11, memory).memory, undefined);
  assert.equal(new PartBuffer(10, memory).memory, memory);
});
