import type { Blobs } from '../../blobs/blobs.ts';
import {
  checkContent,
  findContent,
  isSmall,
  readContent,
  streamContent,
} from '../../formats/zip/reading/content.ts';
import type { ZipArchive } from '../../formats/zip/reading/listing.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { ExtractedFile } from './tree.ts';

/**
 * Up to 16 small files are stored at the same time, because most of that time is spent waiting for the store.
 * Large files need memory, so each counts as five small ones: at most three are stored at the same time.
 */
const CAPACITY = 16;
const LARGE_FILE_WEIGHT = 5;

/**
 * Stores the contents of the files as objects, several at a time. `files` must be in the order of their
 * offsets in the archive. The size and checksum of each content are compared with the entry. If one file
 * fails, the others are stopped and all stored objects are removed.
 *
 * @returns the stored objects by the index of their node
 * @throws ZipFault if a content does not match its entry; the reason of the signal; what the store throws
 */
export async function storeFiles(
  archive: ZipArchive,
  files: readonly ExtractedFile[],
  options: {
    readonly blobs: Blobs;
    readonly signal: AbortSignal;
    /** Called with the number of bytes unpacked since the last call. */
    readonly onBytes: (bytes: number) => void;
    readonly onFile: () => void;
  },
): Promise<ReadonlyMap<number, StoredBytes>> {
  const { blobs, signal, onBytes, onFile } = options;
  const stored = new Map<number, StoredBytes>();
  const group = new WeightedGroup(CAPACITY, signal);
  try {
    for (const [{ entry, node }, end] of withEnds(files, archive)) {
      await group.start(isSmall(entry) ? 1 : LARGE_FILE_WEIGHT, async (stop) => {
        const content = await findContent(archive.bytes, entry, end);
        const source = isSmall(entry)
          ? asSource(await readContent(archive.bytes, content))
          : streamContent(archive.bytes, content);
        const bytes = await blobs.write(source, { signal: stop, onProgress: toIncrements(onBytes) });
        stored.set(node, bytes);
        checkContent(entry, bytes);
        onFile();
      });
    }
    await group.finish();
    return stored;
  } catch (error) {
    await group.stop();
    await blobs.discard([...stored.values()]);
    throw error;
  }
}

/** Each file with the offset where it must end: the start of the next entry, or of the central directory. */
function* withEnds(
  files: readonly ExtractedFile[],
  { entries, directoryOffset }: ZipArchive,
): Generator<readonly [ExtractedFile, number]> {
  let index = 0;
  for (const file of files) {
    while (index < entries.length && entries[index] !== file.entry) index += 1;
    yield [file, entries[index + 1]?.offset ?? directoryOffset];
  }
}

/** Turns a callback for increments into one for running totals, which is what writes report. */
function toIncrements(onBytes: (bytes: number) => void): (total: number) => void {
  let last = 0;
  return (total) => {
    onBytes(total - last);
    last = total;
  };
}

async function* asSource(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/**
 * Runs functions concurrently as long as their weights fit into the capacity. The first failure aborts all.
 */
class WeightedGroup {
  readonly #capacity: number;
  readonly #end = new AbortController();
  readonly #signal: AbortSignal;
  readonly #running = new Set<Promise<void>>();
  #used = 0;
  #failure: { readonly error: unknown } | undefined;
  readonly #onAbort = () => this.#fail(this.#signal.reason);

  constructor(capacity: number, signal: AbortSignal) {
    this.#capacity = capacity;
    this.#signal = signal;
    if (signal.aborted) this.#onAbort();
    else signal.addEventListener('abort', this.#onAbort);
  }

  /** Waits for free capacity, then starts the work. @throws the first failure in the group */
  async start(weight: number, work: (stop: AbortSignal) => Promise<void>): Promise<void> {
    while (this.#failure === undefined && this.#used + weight > this.#capacity)
      await Promise.race(this.#running);
    if (this.#failure !== undefined) throw this.#failure.error;
    this.#used += weight;
    const running: Promise<void> = work(this.#end.signal)
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#used -= weight;
        this.#running.delete(running);
      });
    this.#running.add(running);
  }

  /** Waits until all work is done. @throws the first failure */
  async finish(): Promise<void> {
    await Promise.all(this.#running);
    this.#signal.removeEventListener('abort', this.#onAbort);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Aborts all work and waits until it has ended. Never throws. */
  async stop(): Promise<void> {
    this.#fail(new Error('Another file of the archive failed.'));
    await Promise.all(this.#running);
    this.#signal.removeEventListener('abort', this.#onAbort);
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#end.abort(this.#failure.error);
  }
}
