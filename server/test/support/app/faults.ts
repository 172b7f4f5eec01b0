import fs from 'node:fs';
import { mock } from 'node:test';

/** The calls of the object store that change something, or that a full disk or a broken one can fail. */
const FILE_CALLS = ['open', 'write', 'writev', 'fdatasync', 'fsync', 'ftruncate', 'rename', 'mkdir'] as const;

/** Fails one call of many, so that a test can fail each of them in turn. */
export class FaultInjector {
  /** The calls since `arm`. */
  count = 0;
  #failAt = 0;
  #error: Error | undefined;

  get hasFailed(): boolean {
    return this.#error !== undefined && this.#failAt <= this.count;
  }

  /** @param failAt the number of the call that fails, from 1; 0 fails none and only counts */
  arm(failAt: number, error?: Error): void {
    this.count = 0;
    this.#failAt = failAt;
    this.#error = error;
  }

  disarm(): void {
    this.#error = undefined;
  }

  /** Counts a call. Returns the error that it must fail with. */
  next(): Error | undefined {
    this.count += 1;
    return this.count === this.#failAt ? this.#error : undefined;
  }

  /** Lets file system calls below the directory fail. Ends with `mock.restoreAll()`. */
  observeFiles(directory: string): void {
    const isBelow = (target: unknown) =>
      typeof target === 'number'
        ? fs.readlinkSync(`/proc/self/fd/${target}`).startsWith(directory)
        : String(target).startsWith(directory);
    for (const name of FILE_CALLS) {
      const original = fs[name] as (...parameters: unknown[]) => void;
      mock.method(fs, name, (...parameters: unknown[]) => {
        const error = isBelow(parameters[0]) ? this.next() : undefined;
        if (error === undefined) return original(...parameters);
        const done = parameters.at(-1) as (error: Error) => void;
        setImmediate(() => done(error));
      });
    }
  }
}
