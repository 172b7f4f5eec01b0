import { createHash } from 'node:crypto';
import { ZipLayout } from '../../formats/zip/writing/layout.ts';
import type { EntryMetadata } from '../../formats/zip/writing/writer.ts';
import { checkTreeSize } from '../entries/tree-size.ts';
import type { TreeReader } from './tree-reader.ts';
import type { WalkedEntry } from './tree-reader-queries.ts';

/*
 * What a directory contains when the download of its archive begins. The length of the archive is announced
 * then, so later changes must not affect the archive.
 *
 * The entries are in columns of numbers, and paths are put together when they are needed. So an entry takes
 * about a hundred bytes, however long its path is. An object for each entry would take ten times as much.
 */

/**
 * Marks a missing value: the parent of the top directory, the blob of a directory, or a CRC that is not
 * known.
 */
const NONE = -1;

type Added = Pick<WalkedEntry, 'name' | 'blobId' | 'size' | 'modifiedAt' | 'crc32'>;

/** An entry of the archive, and the blob with its bytes; null for a directory. */
export interface ZipContent {
  readonly path: string;
  readonly blobId: number | null;
  readonly metadata: EntryMetadata;
}

/**
 * Part of the etag. Change it whenever a new version of the program writes different bytes for the same
 * entries.
 */
const FORMAT_VERSION = 1;

export class ZipContents {
  readonly layout = new ZipLayout();
  readonly #hash = createHash('sha256').update(`${FORMAT_VERSION}`);
  #areCrcsKnown = true;
  readonly #names: string[] = [];
  readonly #parents: number[] = [];
  readonly #blobIds: number[] = [];
  readonly #sizes: number[] = [];
  readonly #modified: number[] = [];
  readonly #crcs: number[] = [];

  get count(): number {
    return this.#names.length;
  }

  /**
   * Identifies the bytes of the archive. Undefined while the CRC of a file is not known, because then the
   * entries alone do not determine the bytes. Call it once, after all entries were added.
   */
  toEtag(): string | undefined {
    return this.#areCrcsKnown ? this.#hash.digest('base64url') : undefined;
  }

  /**
   * Returns the index of the new entry.
   * @param parent the index of its directory; undefined for the top directory
   */
  add(parent: number | undefined, { name, blobId, size, modifiedAt, crc32 }: Added): number {
    const index = this.#names.push(name) - 1;
    this.#parents.push(parent ?? NONE);
    this.#blobIds.push(blobId ?? NONE);
    this.#sizes.push(size);
    this.#modified.push(modifiedAt);
    this.#crcs.push(crc32 ?? NONE);
    const { metadata } = this.at(index);
    this.layout.add(metadata);
    if (metadata.size > 0 && metadata.crc32 === null) this.#areCrcsKnown = false;
    // Names contain no `/`, except for a file from no drive, whose name is its whole path. A blob's id is
    // enough, because its bytes never change.
    this.#hash.update(`${parent ?? NONE}/${name}/${blobId ?? NONE}/${size}/${modifiedAt}/`);
    return index;
  }

  at(index: number): ZipContent {
    const blobId = this.#blobIds[index] ?? NONE;
    const isDirectory = blobId === NONE;
    const path = this.#pathOf(index);
    const crc32 = this.#crcs[index] ?? NONE;
    const metadata = {
      path: isDirectory ? `${path}/` : path,
      size: this.#sizes[index] ?? 0,
      crc32: isDirectory ? 0 : crc32 === NONE ? null : crc32,
      modifiedAt: this.#modified[index] ?? 0,
    };
    return { path, blobId: isDirectory ? null : blobId, metadata };
  }

  /** The entries from an index up to another, in their order. */
  slice(from: number, to: number): readonly ZipContent[] {
    const entries: ZipContent[] = [];
    for (let index = from; index < Math.min(to, this.count); index += 1) entries.push(this.at(index));
    return entries;
  }

  #pathOf(index: number): string {
    const names: string[] = [];
    for (let at = index; at !== NONE; at = this.#parents[at] ?? NONE) names.push(this.#names[at] ?? '');
    return names.reverse().join('/');
  }
}

/** An entry at the top of an archive. */
export type TopEntry = Added & Pick<WalkedEntry, 'id' | 'isDirectory' | 'childCount'>;

/**
 * Reads the entries, and everything below them.
 * @throws Failure `over-limit` if there are more entries than one download may have
 */
export async function readZipContents(
  reader: Pick<TreeReader, 'walk'>,
  top: readonly TopEntry[],
  options: {
    readonly maxEntries: number;
    readonly signal: AbortSignal;
    /** Called before each entry is added. An error that it throws ends the reading. */
    readonly onEntry: () => void;
  },
): Promise<ZipContents> {
  const { maxEntries, signal, onEntry } = options;
  const contents = new ZipContents();
  for (const entry of top) {
    checkTreeSize(contents.count + 1, maxEntries, 'downloaded');
    onEntry();
    const directories = new Map([[entry.id, contents.add(undefined, entry)]]);
    for await (const { child } of reader.walk(entry)) {
      signal.throwIfAborted();
      checkTreeSize(contents.count + 1, maxEntries, 'downloaded');
      onEntry();
      const index = contents.add(directories.get(child.parentId), child);
      if (child.isDirectory) directories.set(child.id, index);
    }
  }
  return contents;
}
