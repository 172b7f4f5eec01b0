import type { LogSize } from './session.ts';
import type { ThreadedSession } from './threaded-session.ts';
import { lockWrites } from './write-lock.ts';

/** Pages (of 4 KiB) that wait in the log before they are copied to the database file. */
const CHECKPOINT_PAGES = 1_000;

/** A log of so many pages is truncated, even if readers have to wait for it. */
const LARGE_LOG_PAGES = 16_000;

/** Each round has less to copy than the one before: what was written meanwhile. */
const MAX_ROUNDS = 4;

/** How long after a commit the size of the log is looked at. Reading it takes as long as a small commit. */
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
 * Copies the pages of the write-ahead log to the database file, on a thread. SQLite would do it by itself in
 * the commit that makes the log long enough, and so on the event loop, with two flushes.
 *
 * A checkpoint copies most pages while others write. But only when all pages are copied does the next writer
 * begin the log anew, so the checkpoint then locks out this process's writers and copies the rest: they wait
 * for the flush of a few pages. If readers on the other thread have kept the log from beginning anew until it
 * is large, they are locked out as well. Only a reader in another process, such as a backup, can make the log
 * grow for as long as it reads.
 *
 * A checkpoint that fails is not reported, as with SQLite's own: the log has everything, and the next
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
   * @param parts.findLogSize gives undefined while it cannot be read
   * @param parts.lockReaders waits for the reads of this process on other threads, and gives what lets them
   * go on
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

  /** Waits for the checkpoint that runs. */
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
      // The disk fails, or has become read-only. Requests report it, and the next commit looks again.
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
    // What a reader has kept from being copied is not tried again at once.
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
