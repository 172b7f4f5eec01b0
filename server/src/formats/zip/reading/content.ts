import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createInflateRaw, inflateRaw, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { chunksOf } from '../../../base/bytes/byte-streams.ts';
import { MAX_32_BITS } from '../records.ts';
import { quoteName, ZipFault } from './fault.ts';
import type { ListedEntry } from './listing.ts';
import type { ByteWindows } from './windows.ts';

/** What is at most this large, packed and not, is taken in one piece. */
const SMALL_BYTES = 256 * 1_024;

/**
 * Up to here it takes less than a tenth of a millisecond, and to hand it to a thread and back takes longer.
 */
const AT_ONCE_BYTES = 64 * 1_024;

const CHUNK_BYTES = 256 * 1_024;

const inflate = promisify<Uint8Array, ZlibOptions, Buffer>(inflateRaw);

export function isSmall({ size, packedSize }: ListedEntry): boolean {
  return Math.max(size, packedSize) <= SMALL_BYTES;
}

/** The packed bytes of an entry: where they begin is known once its local header has been seen. */
export interface PackedContent {
  readonly entry: ListedEntry;
  readonly offset: number;
}

/**
 * @param end where the entry must have ended
 * @throws ZipFault when the local header does not agree with the central one
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
  if (!agrees(entry, header, name, rest.subarray(nameLength))) {
    throw new ZipFault(
      `The entry ${quoteName(entry.name)} is damaged: its header and the directory of the archive do not agree.`,
    );
  }
  const offset = entry.offset + 30 + nameLength + extraLength;
  if (offset + entry.packedSize > end) {
    throw new ZipFault(`The entry ${quoteName(entry.name)} overlaps what lies behind it.`);
  }
  return { entry, offset };
}

/** The content of a small entry. @throws ZipFault */
export async function readContent(bytes: ByteWindows, { entry, offset }: PackedContent): Promise<Uint8Array> {
  const packed = await bytes.get(offset, entry.packedSize);
  if (!entry.isDeflated) return packed;
  try {
    // One more than there may be: what is larger is found out without being made.
    const { buffer, engine } = await inflateWithEngine(packed, entry.size + 1);
    if (engine.bytesWritten !== packed.byteLength) throw wrongSize(entry);
    return buffer;
  } catch (error) {
    throw toFault(entry, error);
  }
}

/**
 * The content of a large entry, as it comes. Fails with a ZipFault as soon as there is more than there may
 * be.
 */
export async function* streamContent(
  bytes: ByteWindows,
  { entry, offset }: PackedContent,
): AsyncGenerator<Uint8Array> {
  const packed = bytes.stream(offset, entry.packedSize);
  let left = entry.size;
  for await (const chunk of entry.isDeflated ? inflateStream(entry, packed) : packed) {
    left -= chunk.byteLength;
    if (left < 0) throw wrongSize(entry);
    yield chunk;
  }
}

/** Holds what came of an entry against what was said of it. @throws ZipFault */
export function checkContent(
  entry: ListedEntry,
  came: { readonly size: number; readonly crc32: number },
): void {
  if (came.size !== entry.size) throw wrongSize(entry);
  if (came.crc32 !== entry.crc32) {
    throw new ZipFault(`The entry ${quoteName(entry.name)} is damaged: its checksum (CRC) is wrong.`);
  }
}

interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

async function inflateWithEngine(packed: Uint8Array, maxOutputLength: number): Promise<Inflated> {
  const options = { info: true, maxOutputLength, chunkSize: Math.max(64, maxOutputLength) };
  const isQuick = Math.max(packed.byteLength, maxOutputLength) <= AT_ONCE_BYTES;
  const inflated: unknown = isQuick ? inflateRawSync(packed, options) : await inflate(packed, options);
  // With `info` both give that; their types do not know it.
  return inflated as Inflated;
}

async function* inflateStream(
  entry: ListedEntry,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const inflating = createInflateRaw({ chunkSize: CHUNK_BYTES });
  // Whoever iterates over the last one hears of the failures of both.
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

/** What zlib says of the bytes becomes a fault; everything else stays what it is. */
function toFault(entry: ListedEntry, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ERR_BUFFER_TOO_LARGE') return wrongSize(entry, error);
  if (!code.startsWith('Z_')) return error;
  return new ZipFault(`The entry ${quoteName(entry.name)} is damaged and cannot be unpacked.`, {
    cause: error,
  });
}

function wrongSize(entry: ListedEntry, cause?: unknown): ZipFault {
  return new ZipFault(`The entry ${quoteName(entry.name)} has not the size that the archive says.`, {
    cause,
  });
}

// Section 4.4.4: bit 0, encrypted; bit 3, sizes and CRC follow the content and may be 0 here.
const ENCRYPTED = 0x2041;
const HAS_DESCRIPTOR = 1 << 3;

function agrees(entry: ListedEntry, header: Buffer, name: Buffer, extra: Buffer): boolean {
  const flags = header.readUInt16LE(6);
  if (header.readUInt32LE(0) !== 0x0403_4b50 || (flags & ENCRYPTED) !== 0) return false;
  if (header.readUInt16LE(8) !== (entry.isDeflated ? 8 : 0) || !name.equals(entry.rawName)) return false;
  const { size, packedSize } = sizesOf(header, extra);
  const isLate = (flags & HAS_DESCRIPTOR) !== 0;
  const fits = (said: number, is: number) => said === is || (isLate && said === 0);
  return (
    fits(header.readUInt32LE(14), entry.crc32) && fits(size, entry.size) && fits(packedSize, entry.packedSize)
  );
}

/** Section 4.5.3: in a local header the ZIP64 field has both sizes. */
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
