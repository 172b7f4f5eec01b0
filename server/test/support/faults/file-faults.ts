import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { errorWithCode, type FaultInjector } from './fault-injector.ts';
import { replaceMethod } from './replace-method.ts';

/** The calls of the object store that change something, or that a full disk or a broken one can fail. */
const FILE_CALLS = ['open', 'write', 'writev', 'fdatasync', 'fsync', 'ftruncate', 'rename', 'mkdir'] as const;

export const FILE_FAULTS = { ENOSPC: 'ENOSPC', EIO: 'EIO', EMFILE: 'EMFILE' } as const;

/** Lets file system calls below the directory fail with the code. */
export function injectFileFaults(directory: string, injector: FaultInjector<string>): void {
  const isBelow = (target: unknown) =>
    (typeof target === 'number' ? pathOf(target) : String(target)).startsWith(directory);
  for (const name of FILE_CALLS) {
    const original = fs[name] as (...parameters: unknown[]) => void;
    replaceMethod(fs, name, (...parameters: unknown[]) => {
      const code = isBelow(parameters[0]) ? injector.next() : undefined;
      if (code === undefined) return original(...parameters);
      const done = parameters.at(-1) as (error: Error) => void;
      setImmediate(() => done(errorWithCode(code)));
    });
  }
}

/** Lets flushes of SQLite's write-ahead log fail with the code. */
export async function injectLogFaults(injector: FaultInjector<string>): Promise<void> {
  const handle = await open(import.meta.filename);
  // Node does not export the class.
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { datasync } = prototype;
  replaceMethod(prototype, 'datasync', async function (this: typeof handle) {
    const code = pathOf(this.fd).endsWith('-wal') ? injector.next() : undefined;
    if (code !== undefined) throw errorWithCode(code);
    await datasync.call(this);
  });
}

function pathOf(descriptor: number): string {
  return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
}
