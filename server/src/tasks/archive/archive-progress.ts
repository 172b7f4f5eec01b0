import type { Attempt, JsonObject } from '../engine/job.ts';

export interface TaskTotals {
  readonly files: number;
  readonly directories: number;
  readonly bytes: number;
}

/** How far an archive is made or unpacked, as the public state tells it. */
export class ArchiveProgress {
  readonly #attempt: Attempt;
  readonly #totals: TaskTotals;
  #files = 0;
  #directories = 0;
  #bytes = 0;
  #percent = 0;

  constructor(attempt: Attempt, totals: TaskTotals) {
    this.#attempt = attempt;
    this.#totals = totals;
    this.#report();
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
    if (this.#toPercent() > this.#percent) this.#report();
  }

  addFile(): void {
    this.#files += 1;
    this.#report();
  }

  addDirectory(): void {
    this.#directories += 1;
    this.#report();
  }

  /** What the end says: that what was met is all there is, whatever was counted before. */
  end(done: { readonly files: number; readonly directories: number }): JsonObject {
    return {
      processedFileCount: done.files,
      totalFileCount: done.files,
      processedDirectoryCount: done.directories,
      totalDirectoryCount: done.directories,
      progressPercent: 100,
    };
  }

  get done() {
    return { files: this.#files, directories: this.#directories };
  }

  #report(): void {
    this.#percent = this.#toPercent();
    this.#attempt.report({
      processedFileCount: this.#files,
      // What comes while it is counted was not there when it was.
      totalFileCount: Math.max(this.#files, this.#totals.files),
      processedDirectoryCount: this.#directories,
      totalDirectoryCount: Math.max(this.#directories, this.#totals.directories),
      progressPercent: this.#percent,
    });
  }

  /** By bytes, an entry counting for one more, so that a thousand empty files make progress too. Never 100: the end does. */
  #toPercent(): number {
    const { files, directories, bytes } = this.#totals;
    const done = this.#bytes + this.#files + this.#directories;
    const all = Math.max(1, bytes + files + directories);
    return Math.max(this.#percent, Math.min(99, Math.floor((100 * done) / all)));
  }
}
