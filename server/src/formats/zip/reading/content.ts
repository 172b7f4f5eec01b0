import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createInflateRaw, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { chunksOf } from '../../../base/bytes/byte-streams.ts';
import { DEFLATED_64, MAX_32_BITS, STORED } from '../records.ts';
import { quoteName, ZipFault } from './fault.ts';
import { inflate64 } from './inflate64/inflate64.ts';
import type { ListedEntry } from './listing.ts';
import type { ByteWindows } from './windows.ts';

/** Entries up to this size, packed and unpacked, are read into memory. */
const SMALL_BYTES = 256 * 1_024;

/** Up to this size inflating takes less than 0.1 ms, which is less than handing it to a thread would take. */
const SYNC_BYTES = 64 * 1_024;

const CHUNK_BYTES = 256 * 1_024;

const inflate = promisify<Uint8Array, ZlibOptions, Buffer>(inflateRaw);

export function isSmall({ size, packedSize }: ListedEntry): boolean {
  return Math.max(size, packedSize) <= SMALL_BYTES;
}

/** An entry with the position of its packed bytes, which is known only after reading its local header. */
interface PackedContent {
  readonly entry: ListedEntry;
  readonly offset: number;
}

/**
 * Finds the packed bytes of an entry, and compares its local header with the central directory.
 *
 * @param end the offset at which the packed bytes must end at the latest
 * @throws ZipFault when the headers differ, or the entry is too long
 */
export async function findContent(
  bytes: ByteWindows,
  entry: ListedEntry,
  end: number,
): Promise<PackedContent> {
  const header = await bytes.get(entry.offset, 30);
  const nameLength = header.readUInt16LE(26);
  const extraLength = header.readUInt16LE(28);
  const rest = await bytes.get(entry.offset + 30, nameLength + extraLength);
  const name = rest.subarray(0, nameLength);
  if (!isConsistent(entry, header, name, rest.subarray(nameLength))) {
    throw new ZipFault(
      `The entry ${quoteName(entry.name)} is damaged: its header differs from the directory of the archive.`,
    );
  }
  const offset = entry.offset + 30 + nameLength + extraLength;
  if (offset + entry.packedSize > end) {
    throw new ZipFault(`The entry ${quoteName(entry.name)} overlaps the bytes after it.`);
  }
  return { entry, offset };
}

/** Reads the content of a small entry. @throws ZipFault */
export async function readContent(bytes: ByteWindows, { entry, offset }: PackedContent): Promise<Uint8Array> {
  const packed = await bytes.get(offset, entry.packedSize);
  if (entry.method === STORED) return packed;
  try {
    if (entry.method === DEFLATED_64) return await inflateSmall64(entry, packed);
    // Allows one byte more than declared, so that larger content is detected without inflating all of it.
    const { buffer, engine } = await inflateWithEngine(packed, entry.size + 1);
    if (engine.bytesWritten !== packed.byteLength) throw wrongSize(entry);
    return buffer;
  } catch (error) {
    throw toFault(entry, error);
  }
}

/**
 * Reads the content of a large entry in chunks. Throws a ZipFault as soon as the content exceeds its declared
 * size.
 */
export async function* streamContent(
  bytes: ByteWindows,
  { entry, offset }: PackedContent,
): AsyncGenerator<Uint8Array> {
  const packed = bytes.stream(offset, entry.packedSize);
  let remaining = entry.size;
  for await (const chunk of entry.method === STORED ? packed : inflateStream(entry, packed)) {
    remaining -= chunk.byteLength;
    if (remaining < 0) throw wrongSize(entry);
    yield chunk;
  }
}

/** Compares the content of an entry with its declared size and CRC. @throws ZipFault */
export function checkContent(
  entry: ListedEntry,
  content: { readonly size: number; readonly crc32: number },
): void {
  if (content.size !== entry.size) throw wrongSize(entry);
  if (content.crc32 !== entry.crc32) {
    throw new ZipFault(`The entry ${quoteName(entry.name)} is damaged: its checksum (CRC) is wrong.`);
  }
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

async function inflateWithEngine(packed: Uint8Array, maxOutputLength: number): Promise<Inflated> {
  const options = { info: true, maxOutputLength, chunkSize: Math.max(64, maxOutputLength) };
  const isQuick = Math.max(packed.byteLength, maxOutputLength) <= SYNC_BYTES;
  const inflated: unknown = isQuick ? inflateRawSync(packed, options) : await inflate(packed, options);
  // With the option `info` both functions return this object, but their types do not say so.
  return inflated as Inflated;
}

/** Stops as soon as the content exceeds its declared size. */
async function inflateSmall64(entry: ListedEntry, packed: Uint8Array): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of inflate64(Readable.from([packed]))) {
    size += chunk.byteLength;
    if (size > entry.size) throw wrongSize(entry);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* inflateStream(
  entry: ListedEntry,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  if (entry.method !== DEFLATED_64) return yield* inflateWithZlib(entry, packed);
  try {
    yield* inflate64(packed);
  } catch (error) {
    throw toFault(entry, error);
  }
}

async function* inflateWithZlib(
  entry: ListedEntry,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const inflating = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // The callback can be empty: the reader of `inflating` gets the errors of both streams.
  pipeline(Readable.from(packed, { objectMode: false }), inflating, () => {});
  try {
    yield* chunksOf(inflating);
    if (inflating.bytesWritten !== entry.packedSize) throw wrongSize(entry);
  } catch (error) {
    throw toFault(entry, error);
  } finally {
    inflating.destroy();
  }
}

/** Converts errors that zlib raises because of the bytes; returns all other errors unchanged. */
function toFault(entry: ListedEntry, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return wrongSize(entry, error);
  if (!code.startsWith('Z_')) return error;
  return new ZipFault(`The entry ${quoteName(entry.name)} is damaged and cannot be unpacked.`, {
    cause: error,
  });
}

function wrongSize(entry: ListedEntry, cause?: unknown): ZipFault {
  return new ZipFault(
    `The entry ${quoteName(entry.name)} does not have the size that the archive declares.`,
    {
      cause,
    },
  );
}

// Section 4.4.4: bit 0 and two others mean encrypted. Bit 3 means that sizes and CRC follow the content, and
// may be 0 in the header.
const ENCRYPTED = 0x2041;
const HAS_DESCRIPTOR = 1 << 3;

function isConsistent(entry: ListedEntry, header: Buffer, name: Buffer, extra: Buffer): boolean {
  const flags = header.readUInt16LE(6);
  if (header.readUInt32LE(0) !== 0x0403_4b50 || (flags & ENCRYPTED) !== 0) return false;
  if (header.readUInt16LE(8) !== entry.method || !isSameName(name, entry.rawName)) return false;
  const { size, packedSize } = sizesOf(header, extra);
  const isDeclaredLater = (flags & HAS_DESCRIPTOR) !== 0;
  const matches = (declared: number, expected: number) =>
    declared === expected || (isDeclaredLater && declared === 0);
  return (
    matches(header.readUInt32LE(14), entry.crc32) &&
    matches(size, entry.size) &&
    matches(packedSize, entry.packedSize)
  );
}

/** IZArc writes `\\` in the directory and `/` in the local header. */
function isSameName(one: Buffer, other: Buffer): boolean {
  if (one.equals(other)) return true;
  return one.toString('latin1').replaceAll('\\', '/') === other.toString('latin1').replaceAll('\\', '/');
}

/** The sizes in a local header, or in its ZIP64 field, which has both of them (section 4.5.3). */
function sizesOf(header: Buffer, extra: Buffer): { readonly size: number; readonly packedSize: number } {
  const packedSize = header.readUInt32LE(18);
  const size = header.readUInt32LE(22);
  if (packedSize !== MAX_32_BITS && size !== MAX_32_BITS) return { size, packedSize };
  for (let at = 0; at + 4 <= extra.byteLength; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 0x0001) continue;
    const values = wideValues(extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)));
    const wideSize = size === MAX_32_BITS ? values.next().value : size;
    const widePackedSize = packedSize === MAX_32_BITS ? values.next().value : packedSize;
    return { size: wideSize ?? size, packedSize: widePackedSize ?? packedSize };
  }
  return { size, packedSize };
}

function* wideValues(field: Buffer): Generator<number, undefined> {
  for (let at = 0; at + 8 <= field.byteLength; at += 8) yield Number(field.readBigUInt64LE(at));
  return undefined;
}
