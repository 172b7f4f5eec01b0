// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256, sha256OfFile, toHex } from './sha256.ts';

const toHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

test('without TLS, where browsers compute no digests, the page computes the same digest', async (t) => {
  const bytes = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251);
  t.mock.getter(globalThis.crypto, 'subtle', () => undefined);
  assert.equal(toHex(await sha256(bytes)), toHash(bytes));
});

test('a file is hashed slice by slice', async () => {
  const bytes = new Uint8Array(9 * 1024 ** 2 + 1).map((_, index) => index % 253);
  const file = new Blob([bytes]);
  const reads = new Set<number>();
  const { slice } = file;
  file.slice = (start = 0, end = 0) => {
    reads.add(end - start);
    return slice.call(file, start, end);
  };
  assert.equal(await sha256OfFile(file, new AbortController().signal), toHash(bytes));
  assert.equal(await sha256OfFile(new Blob([]), new AbortController().signal), toHash(new Uint8Array()));
  assert.ok(Math.max(...reads) <= 4 * 1024 ** 2);
});

test('the signal ends the hashing', async () => {
  const reason = new Error('the user has cancelled the upload');
  await assert.rejects(sha256OfFile(new Blob(['x']), AbortSignal.abort(reason)), reason);
});
