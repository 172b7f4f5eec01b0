import type { Entry } from 'yauzl';
import type { Instant } from '../../../base/clock.ts';
import { DEFLATED, STORED } from '../records.ts';
import { quoteName, ZipFault } from './fault.ts';
import { decodeName } from './names.ts';
import type { ByteWindows } from './windows.ts';

/** An entry as the central directory describes it. */
export interface ListedEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly isDirectory: boolean;
  readonly isDeflated: boolean;
  /** Bytes of the content. */
  readonly size: number;
  /** Bytes of the stored or deflated content in the archive. */
  readonly packedSize: number;
  readonly crc32: number;
  /** Without a time zone in the archive, the time counts as UTC. Undefined if it is not a time. */
  readonly modifiedAt: Instant | undefined;
  /** Offset of the local header. */
  readonly offset: number;
}

export interface ZipArchive {
  readonly bytes: ByteWindows;
  /** In the order of their offsets. */
  readonly entries: readonly ListedEntry[];
  /** Offset of the central directory: all contents end before it. */
  readonly directoryOffset: number;
}

// Section 4.4.4: bits 0, 6 and 13, encrypted in one of three ways; bit 5, a patch.
const ENCRYPTED = 0x2041;
const PATCH = 0x20;

// File types of a Unix mode, which is the upper half of the external attributes.
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const PIPE = 0o010000;
const SPECIAL: ReadonlyMap<number, string> = new Map([
  [0o120000, 'a symbolic link'],
  [0o020000, 'a device'],
  [0o060000, 'a device'],
  [PIPE, 'a pipe'],
  [0o140000, 'a socket'],
]);
// Years of four digits, which every timestamp of the API can express.
const EARLIEST = Date.UTC(1000, 0, 1);
const LATEST = Date.UTC(9999, 11, 31);

/** Unix and OS X (section 4.4.2). */
const UNIX_HOSTS: readonly number[] = [3, 19];

/** Converts an entry and validates it. @throws ZipFault for one that cannot be extracted */
export function toListed(entry: Entry): ListedEntry {
  const name = decodeName(entry);
  const fault = findFault(entry);
  if (fault !== undefined) throw new ZipFault(`The entry ${quoteName(name)} ${fault}.`);
  const listed = {
    name,
    // A copy, because the original keeps the whole buffer of the directory in memory.
    rawName: Buffer.from(entry.fileNameRaw),
    isDirectory: name.endsWith('/') || (isUnix(entry) && typeOf(entry) === DIRECTORY),
    isDeflated: entry.compressionMethod === DEFLATED,
    size: entry.uncompressedSize,
    packedSize: entry.compressedSize,
    crc32: entry.crc32,
    modifiedAt: toInstant(entry.getLastModDate({ timezone: 'UTC' })),
    offset: entry.relativeOffsetOfLocalHeader,
  };
  if (listed.isDirectory && listed.size > 0)
    throw new ZipFault(`The entry ${quoteName(name)} is a directory with bytes.`);
  return listed;
}

/** The time of an entry, in whole milliseconds. Archives may contain times that no calendar has. */
function toInstant(date: Date): Instant | undefined {
  const instant = Math.floor(date.getTime());
  return instant >= EARLIEST && instant <= LATEST ? instant : undefined;
}

function findFault(entry: Entry): string | undefined {
  const { generalPurposeBitFlag: flags, compressionMethod: method } = entry;
  if ((flags & ENCRYPTED) !== 0) return 'is encrypted';
  if (method !== STORED && method !== DEFLATED) return `uses an unsupported compression method (${method})`;
  if ((flags & PATCH) !== 0) return 'is a patch of another file';
  const type = isFromPipe(entry) ? REGULAR : typeOf(entry);
  const special = SPECIAL.get(type);
  if (special !== undefined) return `is ${special}`;
  if (isUnix(entry) && ![0, REGULAR, DIRECTORY].includes(type)) return 'is neither a file nor a directory';
  if (method === STORED && entry.compressedSize !== entry.uncompressedSize)
    return 'is stored without compression but declares two different sizes';
  return undefined;
}

/** Info-ZIP marks what it has read from a pipe as a pipe, although it has the content of a file. */
function isFromPipe(entry: Entry): boolean {
  return typeOf(entry) === PIPE && entry.uncompressedSize > 0;
}

function typeOf(entry: Entry): number {
  return (entry.externalFileAttributes >>> 16) & TYPE_MASK;
}

function isUnix(entry: Entry): boolean {
  return UNIX_HOSTS.includes(entry.versionMadeBy >>> 8);
}
