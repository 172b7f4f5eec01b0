import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { FileDigests, sha256, toHex } from './digests.ts';
import { ownSha256 } from './own-sha256.ts';

test('our own SHA-256 is that of everybody', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(toHex(ownSha256(bytes)), createHash('sha256').update(bytes).digest('hex'));
    }),
  );
});

test('the digest of a whole file is that of the digests of its blocks', async () => {
  const digests = new FileDigests(2);
  const blocks = [await sha256(Uint8Array.of(1)), await sha256(Uint8Array.of(2))] as const;
  digests.put(1, blocks[1]);
  assert.deepEqual(digests.missing(), [0]);
  digests.put(0, blocks[0]);
  assert.deepEqual(digests.missing(), []);
  assert.equal(
    await digests.ofWhole(),
    createHash('sha256').update(blocks[0]).update(blocks[1]).digest('hex'),
  );
});
