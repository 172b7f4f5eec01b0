// tier: full
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { inflate64 } from './inflate64.ts';

/** Writes bits, the lowest of each byte first. */
class BitWriter {
  readonly #bits: number[] = [];

  /** Writes a number, its lowest bit first. */
  number(value: number, count: number): this {
    for (let bit = 0; bit < count; bit += 1) this.#bits.push((value >>> bit) & 1);
    return this;
  }

  /** Writes a Huffman code, its highest bit first. */
  code(value: number, count: number): this {
    for (let bit = count - 1; bit >= 0; bit -= 1) this.#bits.push((value >>> bit) & 1);
    return this;
  }

  toBuffer(): Buffer {
    const bytes = Buffer.alloc(Math.ceil(this.#bits.length / 8));
    for (const [at, bit] of this.#bits.entries())
      bytes[at >>> 3] = (bytes[at >>> 3] ?? 0) | (bit << (at & 7));
    return bytes;
  }
}

/** Begins a last block with the fixed codes, which need no table (RFC 1951, section 3.2.6). */
const begin = () => new BitWriter().number(1, 1).number(1, 2);
const literal = (writer: BitWriter, byte: string) => writer.code(0x30 + byte.charCodeAt(0), 8);
/** Writes the length code 285. */
const long = (writer: BitWriter, length: number) => writer.code(0xc5, 8).number(length - 3, 16);
/** Ends the block. */
const end = (writer: BitWriter) => writer.code(0, 7).toBuffer();

async function unpack(bytes: Uint8Array, step = bytes.byteLength): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of inflate64(split(bytes, step))) {
    assert.ok(chunk.byteLength <= 2 * 65_538);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* split(bytes: Uint8Array, step: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += step) yield bytes.subarray(at, at + step);
}

describe('inflate64', () => {
  test('repeats up to 65,538 bytes with the length code 285', async () => {
    const writer = long(literal(begin(), 'a'), 65_538).code(0, 5);
    assert.equal((await unpack(end(writer))).toString(), 'a'.repeat(65_539));
  });

  test('copies bytes up to 64 KiB back with the distance codes 30 and 31', async () => {
    const writer = long(literal(literal(begin(), 'b'), 'a'), 65_534).code(0, 5);
    // 65,536 back is the "b", and then so is 32,769 + 1 back, when 32,767 more bytes have been copied.
    long(writer, 3)
      .code(31, 5)
      .number(65_536 - 49_153, 14);
    long(writer, 32_767).code(0, 5);
    long(writer, 3)
      .code(30, 5)
      .number(32_770 - 32_769, 14);
    const text = `b${'a'.repeat(65_535)}baa${'a'.repeat(32_767)}baa`;
    assert.equal((await unpack(end(writer))).toString(), text);
  });

  test('reads blocks of every type from chunks of any size', async () => {
    // Without the length code 285, and within a window of 32 KiB, Deflate and Deflate64 are the same.
    const content = Buffer.concat([randomBytes(70_000), Buffer.from(randomBytes(90_000).toString('hex'))]);
    const packed = deflateRawSync(content, { strategy: 2 });
    for (const step of [packed.byteLength, 1_000, 7]) assert.ok((await unpack(packed, step)).equals(content));
  });

  for (const [what, bytes] of Object.entries({
    'a distance before the first byte': end(long(literal(begin(), 'a'), 3).code(1, 5)),
    'a block of an unknown type': new BitWriter().number(1, 1).number(3, 2).toBuffer(),
    'a length code that does not exist': end(begin().code(0xc6, 8).code(0, 5)),
    'bytes that end early': deflateRawSync(randomBytes(5_000)).subarray(0, 2_000),
    'bytes after the end': Buffer.concat([deflateRawSync('a'), Buffer.alloc(3)]),
    'many bytes after the end': Buffer.concat([deflateRawSync('a'), Buffer.alloc(5_000)]),
    'no bytes': Buffer.alloc(0),
  })) {
    test(`rejects ${what}`, () => assert.rejects(unpack(bytes), { code: 'Z_DATA_ERROR' }));
  }
});
