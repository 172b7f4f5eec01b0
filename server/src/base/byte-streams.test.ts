import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ByteCounter, ByteLimit } from './byte-streams.ts';
import { Failure } from './failure.ts';

describe('ByteCounter', () => {
  // SHA-256: FIPS 180-2, appendix B. CRC-32: the check value of the catalogue, and those of zlib.
  const vectors = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 0x352441c2],
    ['123456789', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225', 0xcbf43926],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0', 0xdc25bfbc],
  ] as const;
  for (const [text, sha256, crc32] of vectors) {
    it(`knows the digests of ${text.length} bytes`, () => {
      assert.deepEqual(digestOf([Buffer.from(text)]), { size: text.length, sha256, crc32 });
    });
  }

  it('gives the same digest however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (chunks) => {
        assert.deepEqual(digestOf(chunks), digestOf([Buffer.concat(chunks)]));
      }),
    );
  });

  it('agrees with a hash of the whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        assert.equal(digestOf([bytes]).sha256, createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('tells the size at any time', () => {
    const counter = new ByteCounter();
    assert.equal(counter.size, 0);
    counter.add(Buffer.alloc(7));
    counter.add(Buffer.alloc(0));
    counter.add(Buffer.alloc(3));
    assert.equal(counter.size, 10);
  });
});

describe('ByteLimit', () => {
  it('lets exactly as many bytes pass as are allowed', async () => {
    const passed = await buffer(
      Readable.from([Buffer.from('four'), Buffer.from('five!')]).compose(new ByteLimit(9, 'Too long.')),
    );
    assert.equal(passed.toString(), 'fourfive!');
  });

  it('fails with over-limit at the first byte too many', async () => {
    const limit = new ByteLimit(8, 'Too long.');
    limit.write(Buffer.from('four'));
    limit.write(Buffer.from('five!'));
    await assert.rejects(buffer(limit), isOverLimit);
  });

  it('lets nothing pass where nothing is allowed', async () => {
    const limit = new ByteLimit(0, 'Too long.');
    limit.write(Buffer.from('1'));
    await assert.rejects(buffer(limit), isOverLimit);
  });
});

function digestOf(chunks: readonly Uint8Array[]) {
  const counter = new ByteCounter();
  for (const chunk of chunks) counter.add(chunk);
  return counter.digest();
}

function isOverLimit(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'over-limit' && error.message === 'Too long.';
}
