// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evenPartBytes, MAX_OBJECT_BYTES, MAX_PARTS, nextPartBytes, PART_BYTES } from './part-sizes.ts';

const GIB = 1024 ** 3;

test('even parts have 8 MiB, or more if 10,000 parts of 8 MiB are not enough', () => {
  assert.equal(evenPartBytes(0), PART_BYTES);
  assert.equal(evenPartBytes(MAX_PARTS * PART_BYTES), PART_BYTES);
  assert.ok(evenPartBytes(MAX_PARTS * PART_BYTES + 1) > PART_BYTES);
  for (const size of [100 * GIB, 1024 * GIB + 1, MAX_OBJECT_BYTES]) {
    assert.ok(Math.ceil(size / evenPartBytes(size)) <= MAX_PARTS);
  }
});

test('an object never has more than 10,000 growing parts, whatever its limit', () => {
  for (const maxBytes of [
    1,
    79 * GIB,
    100 * GIB,
    500 * GIB,
    1024 * GIB,
    MAX_OBJECT_BYTES,
    Number.POSITIVE_INFINITY,
  ]) {
    const totalBytes = Math.min(maxBytes, MAX_OBJECT_BYTES);
    let parts = 0;
    for (let sent = 0; sent < totalBytes; sent += nextPartBytes(sent, maxBytes)) parts += 1;
    assert.ok(parts <= MAX_PARTS, `${parts} parts for ${totalBytes} bytes`);
  }
});

test('growing parts stay small while the object is small', () => {
  assert.equal(nextPartBytes(0, Number.POSITIVE_INFINITY), PART_BYTES);
  assert.equal(nextPartBytes(7 * GIB, Number.POSITIVE_INFINITY), PART_BYTES);
  assert.ok(nextPartBytes(32 * GIB, Number.POSITIVE_INFINITY) <= 33 * 1024 ** 2);
  assert.equal(nextPartBytes(39 * GIB, 39 * GIB), PART_BYTES);
  assert.ok(nextPartBytes(MAX_OBJECT_BYTES, Number.POSITIVE_INFINITY) <= GIB + 50 * 1024 ** 2);
});
