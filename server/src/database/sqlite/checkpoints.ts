import type { LogSize } from './session.ts';
import type { ThreadedSession } from './threaded-session.ts';
import { lockWrites } from './write-lock.ts';

/**
 * The number of pages (of 4 KiB) that collect in the log before a checkpoint copies them to the database
 * file.
 */
const CHECKPOINT_PAGES = 1_000;

/** A log with this many pages is truncated, even if readers have to wait for that. */
const LARGE_LOG_PAGES = 16_000;

/** Each round copies less than the one before: only what was written meanwhile. */
const MAX_ROUNDS = 4;

/**
 * How long after a commit the log's size is checked. A check takes as long as a small commit, so not every
 * commit gets one.
 */
const LOOK_AFTER_MS = 20;

interface CheckpointsParts {
  readonly file: string;
  readonly thread: ThreadedSession;
  readonly findLogSize: () => LogSize | undefined;
  readonly lockReaders: () => Promise<() => void>;
  readonly everyPages?: number;
  readonly largePages?: number;
}

/**
 * Copies the pages of the write-ahead log to the database file, on a thread. SQLite itself would do this
 * during a commit, and thus on the event loop, with two flushes.
 *
 * A checkpoint copies most pages while others write. But the next writer only restarts the log once all pages
 * are copied. So the checkpoint then locks out this process's writers and copies the rest: they wait for the
 * flush of a few pages. If readers on the other thread have prevented a restart until the log is large, they
 * are locked out as well. Only a reader in another process, such as a backup, can make the log grow for as
 * long as it reads.
 *
 * A failed checkpoint is not reported, like one by SQLite itself: the log still has everything, and the next
 * checkpoint tries again.
 */
export class Checkpoints {
  readonly #parts: CheckpointsParts;
  readonly #everyPages: number;
  readonly #largePages: number;
  #minPages: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  /**
   * @param parts.findLogSize returns undefined while the size cannot be read
   * @param parts.lockReaders waits for this process's reads on other threads to end, and blocks new ones
   *   until the returned function is called
   */
  constructor(parts: CheckpointsParts) {
    this.#parts = parts;
    this.#everyPages = parts.everyPages ?? CHECKPOINT_PAGES;
    this.#largePages = parts.largePages ?? LARGE_LOG_PAGES;
    this.#minPages = this.#everyPages;
  }

  /** Call it after each commit of this process. */
  noteCommit(): void {
    this.#timer ??= setTimeout(() => this.#look(), LOOK_AFTER_MS).unref();
  }

  /** Waits for the running checkpoint. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#running;
    await this.#parts.thread.close();
  }

  #look(): void {
    this.#timer = undefined;
    let size: LogSize | undefined;
    try {
      size = this.#running === undefined ? this.#parts.findLogSize() : undefined;
    } catch {
      // The disk has failed or become read-only. Requests report that, and the next commit checks again.
      return;
    }
    if (size === undefined) this.noteCommit();
    else if (size.pages - size.copied >= this.#minPages) this.#begin(size);
  }

  #begin(size: LogSize): void {
    this.#running = this.#run(size).finally(() => {
      this.#running = undefined;
    });
  }

  async #run(size: LogSize): Promise<void> {
    const left = await this.#copyPages(size.pages >= this.#largePages).catch(() => size);
    // Pages that a reader has kept from being copied must not trigger the next checkpoint immediately.
    this.#minPages = this.#everyPages + left.pages - left.copied;
  }

  async #copyPages(isLarge: boolean): Promise<LogSize> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#parts.thread.checkpoint('passive');
      const size = this.#parts.findLogSize();
      if (size !== undefined && size.pages - size.copied < this.#everyPages) break;
    }
    const release = isLarge ? await this.#parts.lockReaders() : () => {};
    try {
      const unlock = await lockWrites(this.#parts.file);
      try {
        return await this.#parts.thread.checkpoint(isLarge ? 'truncate' : 'passive');
      } finally {
        unlock();
      }
    } finally {
      release();
    }
  }
}
