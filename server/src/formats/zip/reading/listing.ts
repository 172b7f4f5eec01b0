import type { Entry } from 'yauzl';
import { DEFLATED, STORED } from '../records.ts';
import { quoteName, ZipFault } from './fault.ts';
import { decodeName } from './names.ts';
import type { ByteWindows } from './windows.ts';

/** What the central directory says of an entry. */
export interface ListedEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly isDirectory: boolean;
  readonly isDeflated: boolean;
  /** Bytes of its content. */
  readonly size: number;
  /** Bytes that it takes in the archive. */
  readonly packedSize: number;
  readonly crc32: number;
  /** Of its local header. */
  readonly offset: number;
}

export interface ZipArchive {
  readonly bytes: ByteWindows;
  readonly entries: readonly ListedEntry[];
  /** Where the contents must have ended. */
  readonly directoryOffset: number;
}

// Section 4.4.4: bit 0, encrypted; bit 5, a patch; bit 6, strongly encrypted; bit 13, headers are masked.
const ENCRYPTED = 0x2041;
const PATCH = 0x20;

// The file type of a Unix mode, in the upper half of the external attributes.
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
/** Section 4.4.2: Unix and OS X. */
const UNIX_HOSTS: readonly number[] = [3, 19];

export function toListed(entry: Entry): ListedEntry {
  const name = decodeName(entry);
  const fault = findFault(entry);
  if (fault !== undefined) throw new ZipFault(`The entry ${quoteName(name)} ${fault}.`);
  const listed = {
    name,
    // A copy: the original is part of what was read with it.
    rawName: Buffer.from(entry.fileNameRaw),
    isDirectory: name.endsWith('/') || (isUnix(entry) && typeOf(entry) === DIRECTORY),
    isDeflated: entry.compressionMethod === DEFLATED,
    size: entry.uncompressedSize,
    packedSize: entry.compressedSize,
    crc32: entry.crc32,
    offset: entry.relativeOffsetOfLocalHeader,
  };
  if (listed.isDirectory && listed.size > 0)
    throw new ZipFault(`The entry ${quoteName(name)} is a directory with bytes.`);
  return listed;
}

function findFault(entry: Entry): string | undefined {
  const { generalPurposeBitFlag: flags, compressionMethod: method } = entry;
  if ((flags & ENCRYPTED) !== 0) return 'is encrypted';
  if (method !== STORED && method !== DEFLATED)
    return `is packed by a method (${method}) that is not supported`;
  if ((flags & PATCH) !== 0) return 'is a patch of another file';
  const type = isFromPipe(entry) ? REGULAR : typeOf(entry);
  const special = SPECIAL.get(type);
  if (special !== undefined) return `is ${special}`;
  if (isUnix(entry) && ![0, REGULAR, DIRECTORY].includes(type)) return 'is neither file nor directory';
  if (method === STORED && entry.compressedSize !== entry.uncompressedSize)
    return 'is stored as it is, but with two sizes';
  return undefined;
}

/** What Info-ZIP has read from a pipe it calls a pipe, but there is a file's content to it. */
function isFromPipe(entry: Entry): boolean {
  return typeOf(entry) === PIPE && entry.uncompressedSize > 0;
}

function typeOf(entry: Entry): number {
  return (entry.externalFileAttributes >>> 16) & TYPE_MASK;
}

function isUnix(entry: Entry): boolean {
  return UNIX_HOSTS.includes(entry.versionMadeBy >>> 8);
}
