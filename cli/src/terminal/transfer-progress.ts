import { formatBytes } from '../../../server/src/base/format-bytes.ts';
import { PartFailed, type Terminal } from '../drive-command.ts';
import { printable } from './format.ts';

/** The progress of several files, as one line: `12 files, 34 MB, 5.6 MB/s`. */
export class TransferProgress {
  readonly #terminal: Terminal;
  #startMs = performance.now();
  #files = 0;
  #skipped = 0;
  #failed = 0;
  #bytes = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Measures the speed from now on, because the time before was spent waiting. */
  start(): void {
    this.#startMs = performance.now();
  }

  addBytes(bytes: number): void {
    this.setBytes(this.#bytes + bytes);
  }

  /** @param bytes the total of all files so far; may decrease if bytes are sent again */
  setBytes(bytes: number): void {
    this.#bytes = bytes;
    this.#show();
  }

  addFile(): void {
    this.addFiles(1);
  }

  addFiles(count: number): void {
    this.#files += count;
    this.#show();
  }

  addSkipped(): void {
    this.#skipped += 1;
    this.#show();
  }

  addFailed(file: string, error: unknown): void {
    this.#failed += 1;
    this.#terminal.note(printable(`${file}: ${error instanceof Error ? error.message : error}`));
  }

  /** @param done such as `uploaded` @throws PartFailed if a file has failed */
  check(done: string): void {
    if (this.#failed === 0) return;
    throw new PartFailed(`${this.#failed === 1 ? '1 file' : `${this.#failed} files`} could not be ${done}.`);
  }

  /** The progress in words, such as `12 files, 34 MB, 5.6 MB/s, 3 unchanged, 1 failed`. */
  describe(): string {
    const seconds = Math.max((performance.now() - this.#startMs) / 1_000, 0.001);
    return [
      this.#files === 1 ? '1 file' : `${this.#files} files`,
      formatBytes(this.#bytes),
      `${formatBytes(this.#bytes / seconds)}/s`,
      ...(this.#skipped === 0 ? [] : [`${this.#skipped} left as they were`]),
      ...(this.#failed === 0 ? [] : [`${this.#failed} failed`]),
    ].join(', ');
  }

  #show(): void {
    this.#terminal.progress(this.describe());
  }
}
