import type { Blobs } from '../../blobs/blobs.ts';
import {
  checkContent,
  findContent,
  isSmall,
  readContent,
  streamContent,
} from '../../formats/zip/reading/content.ts';
import type { ListedEntry, ZipArchive } from '../../formats/zip/reading/listing.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { ExtractedFile } from './extract-tree.ts';

/** Small files wait for flushes or answers more than for us; of large ones each takes memory: three may be under way. */
const SMALL_AT_ONCE = 16;
const PLACES_OF_LARGE = 5;

/**
 * Stores the content of an archive's files as objects, a few at a time in the order in which they lie there. Each is held
 * against what the archive says of it. When one fails, what is under way ends and nothing of all of it stays.
 *
 * @returns by the number of the node
 * @throws ZipFault; the reason of the signal; what the store throws
 */
export async function storeFiles(
  archive: ZipArchive,
  files: readonly ExtractedFile[],
  options: {
    readonly blobs: Blobs;
    readonly signal: AbortSignal;
    /** Hears how many bytes have been unpacked, piece by piece. */
    readonly onBytes: (bytes: number) => void;
    readonly onFile: () => void;
  },
): Promise<ReadonlyMap<number, StoredBytes>> {
  const { blobs, signal, onBytes, onFile } = options;
  const inOrder = files.toSorted((one, other) => one.entry.offset - other.entry.offset);
  const endOf = endsOf(archive);
  const stored = new Map<number, StoredBytes>();
  const work = new BoundedWork(SMALL_AT_ONCE, signal);
  try {
    for (const { entry, node } of inOrder) {
      await work.start(isSmall(entry) ? 1 : PLACES_OF_LARGE, async (stop) => {
        const end = endOf.get(entry.offset) ?? archive.directoryOffset;
        const content = await findContent(archive.bytes, entry, end);
        const source = isSmall(entry)
          ? asSource(await readContent(archive.bytes, content))
          : streamContent(archive.bytes, content);
        const bytes = await blobs.write(source, { signal: stop, onProgress: sinceLast(onBytes) });
        stored.set(node, bytes);
        checkContent(entry, bytes);
        onFile();
      });
    }
    await work.finish();
    return stored;
  } catch (error) {
    await work.stop();
    await blobs.discard([...stored.values()]);
    throw error;
  }
}

/** Where each entry must have ended, by where it begins. */
function endsOf({ entries, directoryOffset }: ZipArchive): ReadonlyMap<number, number> {
  const offsets = entries.map((entry: ListedEntry) => entry.offset).toSorted((one, other) => one - other);
  return new Map(offsets.map((offset, index) => [offset, offsets[index + 1] ?? directoryOffset]));
}

/** A write tells how far it is; this tells how much came. */
function sinceLast(onBytes: (bytes: number) => void): (total: number) => void {
  let last = 0;
  return (total) => {
    onBytes(total - last);
    last = total;
  };
}

async function* asSource(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Does things side by side that take places, of which there are so many. The first failure ends all of them. */
class BoundedWork {
  readonly #places: number;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  #taken = 0;
  #failure: { readonly error: unknown } | undefined;
  readonly #onAbort = () => this.#fail(this.#signal.reason);

  constructor(places: number, signal: AbortSignal) {
    this.#places = places;
    this.#signal = signal;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort);
  }

  /** Resolves once it has begun. @throws the first failure of what was started before */
  async start(places: number, work: (stop: AbortSignal) => Promise<void>): Promise<void> {
    while (this.#failure === undefined && this.#taken + places > this.#places)
      await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#taken += places;
    const running: Promise<void> = work(this.#end.signal)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#taken -= places;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Resolves when all is done. @throws the first failure */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.#fail(new Error('The rest is not wanted any more.'));
    await Promise.all(this.#running);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end.abort(this.#failure.error);
  }
}
