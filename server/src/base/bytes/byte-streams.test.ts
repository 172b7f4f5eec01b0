// tier: default
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PassThrough, Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { ByteCounter, chunksOf, freeChunk, inPieces } from './byte-streams.ts';

describe('ByteCounter', () => {
  // SHA-256: FIPS 180-2, appendix B. CRC-32: the check value of the CRC catalogue, and values of zlib.
  const vectors = [
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 0],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 0x352441c2],
    ['123456789', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225', 0xcbf43926],
    ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0', 0xdc25bfbc],
  ] as const;
  for (const [text, sha256, crc32] of vectors) {
    it(`computes the checksums of ${text.length} bytes`, () => {
      assert.deepEqual(digestOf([Buffer.from(text)]), { size: text.length, sha256, crc32 });
    });
  }

  it('computes the same digest for any division into chunks', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (chunks) => {
        assert.deepEqual(digestOf(chunks), digestOf([Buffer.concat(chunks)]));
      }),
    );
  });

  it('computes the same SHA-256 as a hash of the whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), (bytes) => {
        assert.equal(digestOf([bytes]).sha256, createHash('sha256').update(bytes).digest('hex'));
      }),
    );
  });

  it('knows the size at any time', () => {
    const counter = new ByteCounter();
    assert.equal(counter.size, 0);
    counter.add(Buffer.alloc(7));
    counter.add(Buffer.alloc(0));
    counter.add(Buffer.alloc(3));
    assert.equal(counter.size, 10);
  });
});

describe('chunksOf', () => {
  it('yields the chunks of a stream as they arrived, however many wait', async () => {
    const sent = Array.from({ length: 100 }, (_, number) => Buffer.from(`chunk ${number}`));
    const stream = new PassThrough({ highWaterMark: 1_000_000 });
    for (const chunk of sent) stream.write(chunk);
    stream.end();
    const got: string[] = [];
    for await (const chunk of chunksOf(stream)) got.push(Buffer.from(chunk).toString());
    assert.deepEqual(
      got,
      sent.map((chunk) => chunk.toString()),
    );
  });

  it('pauses a fast stream while its reader is slow', async () => {
    let made = 0;
    const stream = new Readable({
      highWaterMark: 10,
      read() {
        made += 1;
        this.push(made > 1_000 ? null : Buffer.alloc(10));
      },
    });
    const chunks = chunksOf(stream);
    await chunks.next();
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    assert.ok(made < 50, `${made} chunks`);
    let size = 10;
    for await (const chunk of chunks) size += chunk.byteLength;
    assert.equal(size, 10_000);
  });

  it('takes few chunks of a fast stream in one turn of the event loop, however fast its reader is', async () => {
    // Like a connection with much to read: the next chunk follows at once, unless the stream was paused.
    let left = 200;
    const stream = new Readable({
      highWaterMark: 1,
      read() {
        left -= 1;
        this.push(left < 0 ? null : Buffer.alloc(10));
      },
    });
    let taken = 0;
    const read = (async () => {
      for await (const chunk of chunksOf(stream)) {
        assert.equal(chunk.byteLength, 10);
        taken += 1;
      }
    })();
    let before = 0;
    let most = 0;
    while (taken < 200) {
      await nextTurn();
      most = Math.max(most, taken - before);
      before = taken;
    }
    await read;
    // One more chunk may arrive while the stream is paused, and one turn may overlap the end of the previous
    // one.
    assert.ok(most <= 10, `${most} chunks in one turn`);
  });

  it('throws the error of the stream, also when the stream is destroyed without one', async () => {
    const failing = new PassThrough();
    failing.write('x');
    const read = (async () => {
      for await (const chunk of chunksOf(failing)) void chunk;
    })();
    setImmediate(() => failing.destroy(new Error('broke')));
    await assert.rejects(read, /broke/);
    const cut = new PassThrough();
    setImmediate(() => cut.destroy());
    await assert.rejects(async () => {
      for await (const chunk of chunksOf(cut)) void chunk;
    }, /premature|closed/i);
  });

  it('does not destroy the stream when the reader stops early', async () => {
    const stream = new PassThrough();
    stream.write('a');
    for await (const chunk of chunksOf(stream)) {
      assert.equal(Buffer.from(chunk).toString(), 'a');
      break;
    }
    assert.equal(stream.destroyed, false);
  });
});

describe('a reader that is stopped while it waits for a chunk', () => {
  it('ends, or throws the error that it was stopped with', async () => {
    const ended = chunksOf(new PassThrough());
    const waiting = ended.next();
    await ended.return();
    assert.equal((await waiting).done, true);
    const stopped = chunksOf(new PassThrough());
    const failing = stopped.next();
    stopped.stop(new Error('enough'));
    await assert.rejects(failing, /enough/);
    assert.equal((await stopped.next()).done, true);
  });
});

describe('freeChunk', () => {
  it('frees the memory of a chunk, unless the chunk shares it with others', () => {
    const alone = Buffer.from(new ArrayBuffer(100));
    freeChunk(alone);
    assert.equal(alone.byteLength, 0);
    const shared = Buffer.from(new ArrayBuffer(100)).fill(7);
    for (const part of [shared.subarray(0, 99), shared.subarray(1)]) freeChunk(part);
    assert.equal(shared[99], 7);
    const pooled = Buffer.from('from the pool');
    freeChunk(pooled);
    assert.equal(pooled.toString(), 'from the pool');
  });
});

describe('inPieces', () => {
  it('splits texts into pieces of at most 64 KiB, and loses nothing', async () => {
    const texts = ['', 'a', 'ü😀'.repeat(40_000), 'b'.repeat(65_536), 'c'.repeat(65_537)];
    async function* list() {
      yield* texts;
    }
    const pieces: Uint8Array[] = [];
    for await (const piece of inPieces(list())) pieces.push(piece);
    assert.ok(pieces.every(({ length }) => length > 0 && length <= 65_536));
    assert.equal(Buffer.concat(pieces).toString(), texts.join(''));
  });
});

function digestOf(chunks: readonly Uint8Array[]) {
  const counter = new ByteCounter();
  for (const chunk of chunks) counter.add(chunk);
  return counter.digest();
}
