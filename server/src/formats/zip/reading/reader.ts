import { sortInTurns } from '../../../base/concurrency/sort-in-turns.ts';
import { Turns } from '../../../base/concurrency/turns.ts';
import type { Encoding } from '../../encodings/encodings.ts';
import { readHeaders } from './central-headers.ts';
import { type DirectoryPlace, findDirectory } from './end-record.ts';
import { quoteName, ZipFault } from './fault.ts';
import { type ListedEntry, toListed, toUnnamed, type UnnamedEntry, type ZipArchive } from './listing.ts';
import { decodeNames } from './names.ts';
import { type ArchiveBytes, ByteWindows } from './windows.ts';

// Reads untrusted archives. The entries come from the central directory, and all of them are validated before
// any content is read. A damaged or dangerous entry makes the whole archive invalid. An entry that a drive
// cannot store, such as a symbolic link, is only marked.

export interface ReadingLimits {
  readonly maxEntries: number;
  /** Maximum ratio of unpacked to packed bytes, for each entry and for the archive. */
  readonly maxRatio: number;
}

interface ReadingOptions {
  readonly signal?: AbortSignal | undefined;
  /** The encoding of names that do not declare UTF-8; guessed by default. */
  readonly encoding?: Encoding | undefined;
}

/**
 * Lists the entries of an archive, after validating everything that the central directory declares.
 * @throws ZipFault for bytes that are not an archive, and for a damaged, dangerous or unsupported archive
 * @throws the errors of `source`
 */
export async function readArchive(
  source: ArchiveBytes,
  limits: ReadingLimits,
  { signal, encoding: chosen }: ReadingOptions = {},
): Promise<ZipArchive> {
  const bytes = new ByteWindows(source, signal === undefined ? {} : { signal });
  const place = await findDirectory(bytes, limits.maxEntries);
  const unnamed: UnnamedEntry[] = [];
  const turns = new Turns();
  for await (const header of readHeaders(bytes, place, limits.maxEntries)) {
    if (turns.isOver()) await turns.next();
    signal?.throwIfAborted();
    unnamed.push(toUnnamed(header, unnamed.length));
  }
  const { names, encoding } = await decodeNames(unnamed, chosen);
  const shift = await findShift(bytes, place, unnamed);
  const listed: ListedEntry[] = [];
  for (const [index, entry] of unnamed.entries()) {
    if (turns.isOver()) await turns.next();
    listed.push(toListed({ ...entry, offset: entry.offset + shift }, names[index]));
  }
  checkRatio(listed, bytes.size, limits.maxRatio);
  const entries = await sortInTurns(listed, (one, other) => one.offset - other.offset);
  checkLayout(entries, place.offset);
  return { bytes, entries, directoryOffset: place.offset, encoding };
}

/** How far the local headers are behind their offsets. In some archives only the directory has moved. */
async function findShift(
  bytes: ByteWindows,
  { shift }: DirectoryPlace,
  [first]: readonly UnnamedEntry[],
): Promise<number> {
  if (shift === 0 || first === undefined) return 0;
  const at = first.offset + shift;
  const isMoved =
    at >= 0 && at + 4 <= bytes.size && (await bytes.get(at, 4)).readUInt32LE(0) === LOCAL_HEADER;
  return isMoved ? shift : 0;
}

const LOCAL_HEADER = 0x0403_4b50;

/** The fixed part of a local header, before the name (section 4.3.7). */
const LOCAL_HEADER_BYTES = 30;

/**
 * Checks that entries do not overlap each other or the central directory. With overlapping entries, a small
 * archive could unpack to an enormous size (a zip bomb).
 *
 * @param entries in the order of their offsets
 * @throws ZipFault
 */
function checkLayout(entries: readonly ListedEntry[], directoryOffset: number): void {
  for (const [index, entry] of entries.entries()) {
    const minEnd = entry.offset + LOCAL_HEADER_BYTES + entry.rawName.byteLength + entry.packedSize;
    const next = entries[index + 1];
    if (next !== undefined && minEnd > next.offset) {
      throw new ZipFault(`The entries ${quoteName(entry.name)} and ${quoteName(next.name)} overlap.`);
    }
    // Negated, so that NaN and unsafe integers are also rejected.
    if (!(minEnd <= directoryOffset)) {
      throw new ZipFault(`The entry ${quoteName(entry.name)} reaches into the directory of the archive.`);
    }
  }
}

/**
 * Entries and archives up to this unpacked size are accepted with any ratio. Even harmless content can have a
 * high one: a megabyte of zeros deflates to a kilobyte.
 */
const HARMLESS_BYTES = 1_024 * 1_024;

/**
 * @throws ZipFault if an entry or the archive would unpack to more than `maxRatio` times its packed size
 */
function checkRatio(entries: readonly ListedEntry[], archiveBytes: number, maxRatio: number): void {
  let size = 0;
  for (const entry of entries) {
    if (entry.size > Math.max(HARMLESS_BYTES, entry.packedSize * maxRatio)) {
      throw new ZipFault(
        `The entry ${quoteName(entry.name)} would unpack to more than ${maxRatio.toLocaleString('en')} times its packed size.`,
        { kind: 'excessive' },
      );
    }
    size += entry.size;
  }
  if (size > Math.max(HARMLESS_BYTES, archiveBytes * maxRatio)) {
    throw new ZipFault(
      `The archive would unpack to more than ${maxRatio.toLocaleString('en')} times its size.`,
      { kind: 'excessive' },
    );
  }
}
