import { SharedFlush } from '../../base/concurrency/shared-flush.ts';
import { closeFileSync, flushAll, openDirectory } from './file-system.ts';

/**
 * Flushes directories, which makes the names in them durable. A flush covers every rename that was done
 * before it began, so writers into the same directory share flushes.
 */
export class DirectoryFlush {
  /** By directory; contains only directories that are being flushed. */
  readonly #flushes = new Map<string, SharedFlush>();
  readonly #flushNow: (directory: string) => Promise<void>;

  constructor(flushNow: (directory: string) => Promise<void> = flushDirectory) {
    this.#flushNow = flushNow;
  }

  /** Resolves when every name that the directory contained at the time of the call is durable. */
  async flush(directory: string): Promise<void> {
    let shared = this.#flushes.get(directory);
    if (shared === undefined) {
      shared = new SharedFlush(() => this.#flushNow(directory));
      this.#flushes.set(directory, shared);
    }
    try {
      await shared.wait();
    } finally {
      // Another caller may have removed it already, and a third one may have added a new one.
      if (shared.isIdle && this.#flushes.get(directory) === shared) this.#flushes.delete(directory);
    }
  }
}

async function flushDirectory(directory: string): Promise<void> {
  const descriptor = await openDirectory(directory);
  try {
    await flushAll(descriptor);
  } finally {
    closeFileSync(descriptor);
  }
}
