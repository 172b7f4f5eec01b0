// Reads untrusted archives. The entries are taken from the central directory, and all of them are validated
// before any content is read. What is damaged or dangerous makes the whole archive invalid; what a drive
// cannot store, such as a symbolic link, is only marked.

import { sortInTurns } from '../../../base/concurrency/sort-in-turns.ts';
import { Turns } from '../../../base/concurrency/turns.ts';
import type { Encoding } from '../../encodings/encodings.ts';
import { checkLayout, checkRatio } from './archive-checks.ts';
import { readHeaders } from './central-headers.ts';
import { type DirectoryPlace, findDirectory } from './end-record.ts';
import { type ListedEntry, toListed, toUnnamed, type UnnamedEntry, type ZipArchive } from './listing.ts';
import { decodeNames } from './names.ts';
import { type ArchiveBytes, ByteWindows } from './windows.ts';

export interface ReadingLimits {
  readonly maxEntries: number;
  /** Maximum ratio of unpacked to packed bytes, for each entry and for the archive. */
  readonly maxRatio: number;
}

interface ReadingOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of names that do not declare UTF-8; guessed by default. */
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

/** How far the local headers are behind their offsets: some archives are moved with their directory only. */
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
