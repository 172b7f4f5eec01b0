// Decides whether an entry is stored or deflated. Most files in a drive are already compressed, and their
// names do not always show it. So deflating is tried out: with the whole of a small file, with the first
// block of a large file.
import { type EntryMetadata, isDirectory, type WrittenBytes } from '../records.ts';
import { ContentCheck, openedContent } from './content-check.ts';
import { blocksOf, Deflater } from './deflating.ts';

/** One file or directory of an archive. Nothing is opened for a directory or an empty file. */
export interface ZipEntry extends EntryMetadata {
  open(): Promise<AsyncIterable<Uint8Array>>;
  /**
   * Reads all bytes into memory. If present, it is used for small files, for which it is faster than `open`.
   */
  read?(): Promise<Uint8Array>;
}

/** An entry that is ready to be written. */
export interface PackedEntry {
  /** The values for its records. */
  readonly metadata: EntryMetadata;
  /** The bytes in the archive. */
  readonly pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Call it after all pieces were read. Throws when they differ from the announced size or CRC. */
  finish(): WrittenBytes;
  /** Closes the source. Must always be called. */
  close(): Promise<void>;
}

export interface PackingOptions {
  /** Whether to deflate entries that become smaller by it. By default everything is stored. */
  readonly deflates?: boolean;
  /** Aborts the reading of sources. */
  readonly signal?: AbortSignal;
  /** Called with the number of bytes of every chunk of content that was read. */
  readonly onBytes?: (bytes: number) => void;
}

/**
 * A large file is deflated only if its first block shrinks to this ratio or less. The threshold is clear
 * because one block says little about the others.
 */
const MAX_DEFLATED_RATIO = 15 / 16;

export class Packing {
  readonly #options: PackingOptions;
  readonly #deflater = new Deflater();

  constructor(options: PackingOptions) {
    this.#options = options;
  }

  /** Packs an entry whose bytes are in memory. */
  async packSmall(entry: ZipEntry, bytes: Uint8Array): Promise<PackedEntry> {
    const metadata = toMetadata(entry);
    const check = this.#checkOf(metadata);
    check.pass(bytes);
    const crc32 = check.finish();
    if (this.#options.deflates !== true || metadata.size === 0) return ready(metadata, bytes, crc32);
    const deflated = await this.#deflater.whole(bytes);
    if (deflated.byteLength >= metadata.size) return ready({ ...metadata, crc32 }, bytes, crc32);
    return ready({ ...metadata, crc32, deflatedSize: deflated.byteLength }, deflated, crc32);
  }

  /**
   * Packs an entry from its stream. The stream is opened now if the entry may be deflated, otherwise when
   * pieces are read.
   */
  async pack(entry: ZipEntry): Promise<PackedEntry> {
    const metadata = toMetadata(entry);
    if (metadata.size === 0) return ready(metadata, EMPTY, this.#checkOf(metadata).finish());
    const opened = this.#open(entry);
    if (this.#options.deflates !== true) return this.#store(metadata, opened);
    return await this.#deflateOrStore(metadata, blocksOf(opened));
  }

  #store(metadata: EntryMetadata, content: AsyncGenerator<Uint8Array>): PackedEntry {
    const check = this.#checkOf(metadata);
    return {
      metadata,
      pieces: checked(content, check),
      finish: () => ({ crc32: check.finish(), packedSize: metadata.size }),
      close: () => end(content),
    };
  }

  async #deflateOrStore(metadata: EntryMetadata, blocks: AsyncGenerator<Uint8Array>): Promise<PackedEntry> {
    try {
      const { value: first = EMPTY } = await blocks.next();
      const deflated = await this.#deflater.block(first);
      const all = startingWith(first, blocks);
      if (deflated.byteLength > first.byteLength * MAX_DEFLATED_RATIO) {
        return { ...this.#store(metadata, all), close: () => end(blocks) };
      }
      const check = this.#checkOf(metadata);
      const written = { packedSize: 0 };
      return {
        metadata: { ...metadata, deflatedSize: null },
        pieces: this.#deflate(checked(all, check), deflated, written),
        finish: () => ({ crc32: check.finish(), packedSize: written.packedSize }),
        close: () => end(blocks),
      };
    } catch (error) {
      await end(blocks);
      throw error;
    }
  }

  /** @param first the deflated first block */
  async *#deflate(
    blocks: AsyncIterable<Uint8Array>,
    first: Uint8Array,
    written: { packedSize: number },
  ): AsyncGenerator<Uint8Array> {
    let previous: Uint8Array | undefined;
    for await (const block of blocks) {
      const piece = previous === undefined ? first : await this.#deflater.block(block, previous);
      previous = block;
      written.packedSize += piece.byteLength;
      yield piece;
    }
    written.packedSize += this.#deflater.end.byteLength;
    yield this.#deflater.end;
  }

  async *#open(entry: ZipEntry): AsyncGenerator<Uint8Array> {
    yield* await openedContent(entry.open(), this.#options.signal);
  }

  #checkOf(metadata: EntryMetadata): ContentCheck {
    return new ContentCheck(metadata, this.#options.onBytes);
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * The metadata as it is written. An empty entry gets its CRC, 0, so that it needs no data descriptor. Some
 * readers do not expect one for a directory.
 */
export function toMetadata({ path, size, crc32, modifiedAt }: EntryMetadata): EntryMetadata {
  if (isDirectory({ path, size, crc32, modifiedAt }) && size !== 0)
    throw new RangeError(`${path} is a directory with bytes.`);
  return { path, size, crc32: size === 0 ? (crc32 ?? 0) : crc32, modifiedAt };
}

function ready(metadata: EntryMetadata, bytes: Uint8Array, crc32: number): PackedEntry {
  const written = { crc32, packedSize: bytes.byteLength };
  return { metadata, pieces: [bytes], finish: () => written, close: async () => {} };
}

async function end(generator: AsyncGenerator<Uint8Array>): Promise<void> {
  await generator.return(undefined);
}

async function* checked(content: AsyncIterable<Uint8Array>, check: ContentCheck): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield check.pass(chunk);
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (first.byteLength > 0) yield first;
  yield* rest;
}
