import { SharedRuns } from '../../../base/concurrency/shared-run.ts';
import { closeFileSync, flushAll, openDirectory } from './file-system.ts';

/**
 * Flushes directories, which makes the names in them durable. A flush covers every rename that was done
 * before it began, so writers into the same directory share flushes.
 */
export class DirectoryFlush {
  readonly #flushes = new SharedRuns<void>();
  readonly #flushNow: (directory: string) => Promise<void>;

  constructor(flushNow: (directory: string) => Promise<void> = flushDirectory) {
    this.#flushNow = flushNow;
  }

  /** Resolves when every name that the directory contained at the time of the call is durable. */
  flush(directory: string): Promise<void> {
    return this.#flushes.wait(directory, () => this.#flushNow(directory));
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
