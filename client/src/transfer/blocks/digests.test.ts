// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sha256 } from '../sha256.ts';
import { FileDigests } from './digests.ts';

test("the digest of a file is the digest of its blocks' digests", async () => {
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
