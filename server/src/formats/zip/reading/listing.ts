import type { Instant } from '../../../base/clock.ts';
import type { Encoding } from '../../encodings/encodings.ts';
import { DEFLATED, DEFLATED_64, STORED } from '../records.ts';
import type { CentralHeader } from './central-headers.ts';
import { readTime } from './entry-times.ts';
import { findUnicodePath } from './extra-fields.ts';
import { quoteName, ZipFault } from './fault.ts';
import type { RawName } from './names.ts';
import type { ByteWindows } from './windows.ts';

/** An entry as the central directory describes it. */
export interface ListedEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly isDirectory: boolean;
  /** The compression method: `STORED`, `DEFLATED` or `DEFLATED_64`. */
  readonly method: number;
  /** Bytes of the content. */
  readonly size: number;
  /** Bytes of the stored or deflated content in the archive. */
  readonly packedSize: number;
  readonly crc32: number;
  /** If the archive has no time zone, the time counts as UTC. Undefined if it is not a valid time. */
  readonly modifiedAt: Instant | undefined;
  /** The offset of the local header. */
  readonly offset: number;
  /** The entry's position in the central directory. */
  readonly index: number;
  /**
   * Why it is not extracted, as the end of a sentence that says what it is. Undefined for files and
   * directories.
   */
  readonly exclusion: string | undefined;
}

export interface ZipArchive {
  readonly bytes: ByteWindows;
  /** In the order of their offsets. */
  readonly entries: readonly ListedEntry[];
  /** The offset of the central directory. All contents end before it. */
  readonly directoryOffset: number;
  /** The encoding of the names that are not UTF-8; undefined if all are. */
  readonly encoding: Encoding | undefined;
}

/** An entry whose name is not decoded yet. */
export interface UnnamedEntry extends Omit<ListedEntry, 'name'>, RawName {
  /** Whether its attributes mark it as a directory. A name with a `/` at the end marks one as well. */
  readonly isDirectory: boolean;
  /** Why the archive cannot be extracted, as the end of a sentence. */
  readonly fault: string | undefined;
}

// Section 4.4.4: bits 0, 6 and 13 mean encrypted, in one of three ways. Bit 5 means a patch.
const ENCRYPTED = 0x2041;
const PATCH = 0x20;
const METHODS: readonly number[] = [STORED, DEFLATED, DEFLATED_64];

// The file types in a Unix mode, which is the upper half of the external attributes.
const TYPE_MASK = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const PIPE = 0o010000;
const SPECIAL: ReadonlyMap<number, string> = new Map([
  [0o120000, 'is a symbolic link'],
  [0o020000, 'is a device'],
  [0o060000, 'is a device'],
  [PIPE, 'is a pipe'],
  [0o140000, 'is a socket'],
]);

/** Unix and OS X (section 4.4.2). */
const UNIX_HOSTS: readonly number[] = [3, 19];

/** MS-DOS, OS/2, NTFS and VFAT (section 4.4.2). */
const WINDOWS_HOSTS: readonly number[] = [0, 6, 10, 14];

export function toUnnamed(header: CentralHeader, index: number): UnnamedEntry {
  const { rawName, flags, extra, size, packedSize, crc32, offset } = header;
  return {
    ...{ rawName, flags, size, packedSize, crc32, offset, index },
    unicodePath: findUnicodePath(extra, rawName),
    hasBackslashes: WINDOWS_HOSTS.includes(header.madeBy >>> 8),
    isDirectory: isUnix(header) && typeOf(header) === DIRECTORY,
    method: header.method,
    modifiedAt: readTime(header.dosDate, header.dosTime, extra),
    exclusion: findExclusion(header),
    fault: findFault(header),
  };
}

/** @param name undefined if it is too long @throws ZipFault for an entry that cannot be extracted */
export function toListed(entry: UnnamedEntry, name: string | undefined): ListedEntry {
  const { flags, unicodePath: _path, hasBackslashes: _slashes, fault, ...listed } = entry;
  const shown = name ?? entry.rawName.toString('latin1', 0, 1_000);
  if (fault !== undefined) {
    const kind = (flags & ENCRYPTED) !== 0 ? 'encrypted' : 'damaged';
    throw new ZipFault(`The entry ${quoteName(shown)} ${fault}.`, { kind });
  }
  const isDirectory = entry.isDirectory || shown.endsWith('/');
  if (name !== undefined && isDirectory && entry.size > 0)
    throw new ZipFault(`The entry ${quoteName(shown)} is a directory with bytes.`);
  const exclusion = name === undefined ? 'has a path that is longer than 4,096 bytes' : entry.exclusion;
  return { ...listed, name: shown, isDirectory, exclusion };
}

function findFault({ flags, method, size, packedSize }: CentralHeader): string | undefined {
  if ((flags & ENCRYPTED) !== 0) return 'is encrypted';
  if (!METHODS.includes(method)) return `uses an unsupported compression method (${method})`;
  if ((flags & PATCH) !== 0) return 'is a patch of another file';
  if (method === STORED && packedSize !== size)
    return 'is stored without compression but declares two different sizes';
  return undefined;
}

function findExclusion(header: CentralHeader): string | undefined {
  // Info-ZIP marks content that it has read from a pipe as a pipe, although it is a normal file.
  const type = typeOf(header) === PIPE && header.size > 0 ? REGULAR : typeOf(header);
  if (isUnix(header) && ![0, REGULAR, DIRECTORY].includes(type) && !SPECIAL.has(type))
    return 'is neither a file nor a directory';
  return SPECIAL.get(type);
}

function typeOf({ attributes }: CentralHeader): number {
  return (attributes >>> 16) & TYPE_MASK;
}

function isUnix({ madeBy }: CentralHeader): boolean {
  return UNIX_HOSTS.includes(madeBy >>> 8);
}
