import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { toTimestamp } from '../../base/dates.ts';
import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Drive, SourceEntry } from '../../drive/drive.ts';
import type { Encoding } from '../../formats/encodings/encodings.ts';
import { findDirectory } from '../../formats/zip/reading/end-record.ts';
import { ZipFault } from '../../formats/zip/reading/fault.ts';
import type { ZipArchive } from '../../formats/zip/reading/listing.ts';
import { type ReadingLimits, readArchive } from '../../formats/zip/reading/reader.ts';
import { type ArchiveBytes, ByteWindows } from '../../formats/zip/reading/windows.ts';
import { type ArchiveContents, MAX_LISTED_ENTRIES } from '../contract.ts';

export const READING_LIMITS: ReadingLimits = { maxEntries: 100_000, maxRatio: 1_000 };

/** The maximum number of characters of all paths in one response. */
const MAX_CHARACTERS = 500_000;

/** How many archives are listed at the same time, and how many requests may wait. */
const CONCURRENT = 2;
const MAX_WAITING = 100;

interface ArchiveListingParts {
  readonly drive: Drive;
  readonly blobs: Blobs;
}

/** Lists archives by the same rules as for extracting them. */
export class ArchiveListing {
  readonly #parts: ArchiveListingParts;
  readonly #permits = new Semaphore(CONCURRENT, MAX_WAITING);

  constructor(parts: ArchiveListingParts) {
    this.#parts = parts;
  }

  /**
   * Lists what an archive contains.
   * @throws Failure `not-found`; `rejected` for a directory, and for a file that cannot be extracted
   */
  async list(
    driveId: number,
    entryId: number,
    options: { readonly encoding?: Encoding | undefined; readonly signal: AbortSignal },
  ): Promise<ArchiveContents> {
    const bytes = toArchiveBytes(this.#parts.blobs, await this.#getSource(driveId, entryId));
    if (bytes === undefined) throw new Failure('rejected', 'A directory is not an archive.');
    await this.#permits.acquire(options.signal);
    try {
      return toContents(await readArchive(bytes, READING_LIMITS, options));
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      throw new Failure('rejected', error.message, { cause: error });
    } finally {
      this.#permits.release();
    }
  }

  /** Whether the file ends like a ZIP archive. Its name does not matter. */
  async isArchive(driveId: number, entryId: number): Promise<boolean> {
    const bytes = toArchiveBytes(this.#parts.blobs, await this.#getSource(driveId, entryId));
    if (bytes === undefined) return false;
    try {
      await findDirectory(new ByteWindows(bytes), READING_LIMITS.maxEntries);
      return true;
    } catch (error) {
      if (!(error instanceof ZipFault)) throw error;
      return false;
    }
  }

  async #getSource(driveId: number, entryId: number): Promise<SourceEntry> {
    const source = await this.#parts.drive.treeReader.findSource(driveId, entryId);
    if (source === undefined) throw new Failure('not-found', 'The file does not exist.');
    return source;
  }
}

/** The bytes of a file; undefined for a directory. */
export function toArchiveBytes(blobs: Blobs, { entry, location }: SourceEntry): ArchiveBytes | undefined {
  if (location === null) return undefined;
  return {
    size: entry.size,
    read: (range) => blobs.read(location, range),
    open: (range) => blobs.open(location, range),
  };
}

/** The first entries, in the order of their bytes. If two have the same path, the last one counts. */
function toContents({ entries, encoding }: ZipArchive): ArchiveContents {
  const found = new Map<string, ArchiveContents['entries'][number]>();
  let characters = 0;
  let isCut = false;
  for (const { name, isDirectory, size, modifiedAt } of entries) {
    characters += name.length;
    isCut = (found.size === MAX_LISTED_ENTRIES && !found.has(name)) || characters > MAX_CHARACTERS;
    if (isCut) break;
    const time = modifiedAt === undefined ? null : toTimestamp(modifiedAt);
    found.set(name, { path: name.toWellFormed(), directory: isDirectory, size, modifiedAt: time });
  }
  return { entries: [...found.values()], total: entries.length, cut: isCut, encoding: encoding ?? null };
}
