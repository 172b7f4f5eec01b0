import fs from 'node:fs';
import { open } from 'node:fs/promises';
import { LocalSession } from '../../../src/database/sqlite/session.ts';
import { errorWithCode, FaultInjector, type FaultKind, listKinds } from './fault-injector.ts';
import type { FaultScope } from './fault-scope.ts';
import { replaceMethod } from './replace-method.ts';

/** The calls of the object store that change something, or that fail on a full or broken disk. */
const FILE_CALLS = ['open', 'write', 'writev', 'fdatasync', 'fsync', 'ftruncate', 'rename', 'mkdir'] as const;

type Execution = Parameters<LocalSession['execute']>;

const FILE_FAULTS = { ENOSPC: 'ENOSPC', EIO: 'EIO', EMFILE: 'EMFILE' } as const;

/** Makes file system calls below the directory fail. Returns the kinds of faults. */
export function injectFileFaults(directory: string, scope: FaultScope): readonly FaultKind[] {
  const injector = new FaultInjector<string>(scope);
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
  return listKinds(injector, FILE_FAULTS, [413, 500, 503]);
}

/**
 * Makes flushes of SQLite's write-ahead log fail. Returns the kinds of faults.
 * @param unflushed receives the statements that wrote something since the last flush
 */
export async function injectLogFaults(scope: FaultScope, unflushed: string[]): Promise<readonly FaultKind[]> {
  const injector = new FaultInjector<string>(scope);
  const { execute } = LocalSession.prototype;
  replaceMethod(LocalSession.prototype, 'execute', function (this: LocalSession, ...parameters: Execution) {
    if (!/^\s*(select|with)\b/i.test(parameters[0])) unflushed.push(parameters[0]);
    return execute.apply(this, parameters);
  });
  const handle = await open(import.meta.filename);
  // Gets the prototype from an open file, because Node does not export the class.
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const { datasync } = prototype;
  replaceMethod(prototype, 'datasync', async function (this: typeof handle) {
    const code = pathOf(this.fd).endsWith('-wal') ? injector.next() : undefined;
    if (code !== undefined) throw errorWithCode(code);
    await datasync.call(this);
    unflushed.length = 0;
  });
  return listKinds(injector, { EIO: 'EIO' }, [503]);
}

function pathOf(descriptor: number): string {
  return fs.readlinkSync(`/proc/self/fd/${descriptor}`);
}
