// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataDescriptor, localHeader } from './records.ts';

const metadata = (size: number, deflatedSize: number | null) => ({
  path: 'a',
  size,
  deflatedSize,
  crc32: 7,
  modifiedAt: 0,
});

/** The packed and the unpacked size from a header, or from its ZIP64 field, which comes last. */
function sizesIn(header: Buffer): readonly (number | bigint)[] {
  const short = [header.readUInt32LE(18), header.readUInt32LE(22)];
  if (short[0] !== 0xffff_ffff) return short;
  const field = header.subarray(-20);
  assert.deepEqual([field.readUInt16LE(0), field.readUInt16LE(2)], [1, 16]);
  return [field.readBigUInt64LE(12), field.readBigUInt64LE(4)];
}

test('a deflated entry of known size has both sizes in its header and no data descriptor', () => {
  const known = metadata(1_000, 10);
  const header = localHeader(known);
  assert.deepEqual([header.readUInt16LE(6) & 8, header.readUInt16LE(8)], [0, 8]);
  assert.deepEqual(sizesIn(header), [10, 1_000]);
  assert.equal(header.readUInt32LE(14), 7);
  assert.equal(dataDescriptor(known, { crc32: 7, packedSize: 10 }).byteLength, 0);
});

test('a deflated entry of unknown size has both sizes in its data descriptor', () => {
  const unknown = metadata(1_000, null);
  const header = localHeader(unknown);
  assert.deepEqual([header.readUInt16LE(6) & 8, header.readUInt16LE(8)], [8, 8]);
  assert.deepEqual([...sizesIn(header), header.readUInt32LE(14)], [0, 0, 0]);
  const descriptor = dataDescriptor(unknown, { crc32: 7, packedSize: 10 });
  assert.equal(descriptor.byteLength, 16);
  assert.deepEqual(
    [4, 8, 12].map((at) => descriptor.readUInt32LE(at)),
    [7, 10, 1_000],
  );
});

test('an entry whose deflated size may exceed 32 bits has 64-bit sizes', () => {
  // Readers derive the width of the descriptor from the header, and deflating can add a few bytes.
  const near = metadata(2 ** 32 - 1_000, null);
  assert.deepEqual(sizesIn(localHeader(near)), [0n, 0n]);
  const descriptor = dataDescriptor(near, { crc32: 7, packedSize: 2 ** 32 + 5 });
  assert.equal(descriptor.byteLength, 24);
  assert.deepEqual(
    [descriptor.readBigUInt64LE(8), descriptor.readBigUInt64LE(16)],
    [2n ** 32n + 5n, 2n ** 32n - 1_000n],
  );
  assert.deepEqual(sizesIn(localHeader(metadata(2 ** 32 - 2 ** 21, null))), [0, 0]);
  assert.deepEqual(sizesIn(localHeader(metadata(2 ** 32 - 1_000, 2 ** 31))), [2 ** 31, 2 ** 32 - 1_000]);
  assert.deepEqual(sizesIn(localHeader(metadata(2 ** 33, 10))), [10n, 2n ** 33n]);
});
