// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { Sha256 } from './sha256.ts';

function hash(...pieces: readonly Uint8Array[]): string {
  const hasher = new Sha256();
  for (const piece of pieces) hasher.update(piece);
  return hasher.digest();
}

test('the digests equal those of FIPS 180-4', () => {
  const text = (words: string) => new TextEncoder().encode(words);
  assert.equal(hash(), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(hash(text('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(
    hash(text('abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq')),
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  );
});

test('pieces of any length have the digest of the whole', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, (list) => {
      const expected = createHash('sha256').update(Buffer.concat(list)).digest('hex');
      assert.equal(hash(...list), expected);
    }),
  );
});
