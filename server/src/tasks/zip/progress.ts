import type { Attempt, JsonObject } from '../engine/job.ts';

export interface EntryCounts {
  readonly files: number;
  readonly directories: number;
}

/** The totals of an archive, counted before the work began. */
interface ZipTotals extends EntryCounts {
  readonly bytes: number;
}

/** Reports the progress of packing or unpacking an archive in the task's public state. */
export class ZipProgress {
  readonly #attempt: Attempt;
  readonly #totals: ZipTotals;
  #files = 0;
  #directories = 0;
  #bytes = 0;
  #percent = 0;

  constructor(attempt: Attempt, totals: ZipTotals) {
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

  /** The files and directories processed so far. */
  get processed(): EntryCounts {
    return { files: this.#files, directories: this.#directories };
  }

  #report(): void {
    this.#percent = this.#toPercent();
    this.#attempt.report({
      processedFileCount: this.#files,
      // The total grows if entries were created after the count.
      totalFileCount: Math.max(this.#files, this.#totals.files),
      processedDirectoryCount: this.#directories,
      totalDirectoryCount: Math.max(this.#directories, this.#totals.directories),
      progressPercent: this.#percent,
    });
  }

  /**
   * Progress in bytes. Each entry counts as one more byte, so that even many empty files show progress. At
   * most 99: only a completed task has 100.
   */
  #toPercent(): number {
    const { files, directories, bytes } = this.#totals;
    const done = this.#bytes + this.#files + this.#directories;
    const all = Math.max(1, bytes + files + directories);
    return Math.max(this.#percent, Math.min(99, Math.floor((100 * done) / all)));
  }
}

/**
 * The public state of a completed task. Its totals are the processed numbers, even if the earlier count
 * differed.
 */
export function toFinalState({ files, directories }: EntryCounts): JsonObject {
  return {
    processedFileCount: files,
    totalFileCount: files,
    processedDirectoryCount: directories,
    totalDirectoryCount: directories,
    progressPercent: 100,
  };
}
