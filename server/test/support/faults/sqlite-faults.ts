import Sqlite from 'better-sqlite3';
import { LocalSession } from '../../../src/database/sqlite/session.ts';
import { ThreadedSession } from '../../../src/database/sqlite/threaded-session.ts';
import type { FaultInjector } from './fault-injector.ts';
import { replaceMethod } from './replace-method.ts';

export interface SqliteFault {
  readonly code: string;
  /** Whether the statement has run when it fails. */
  readonly hasRun: boolean;
}

const CODES = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR'] as const;

export const SQLITE_FAULTS: Readonly<Record<string, SqliteFault>> = Object.fromEntries(
  CODES.flatMap((code) => [
    [`${code} before it`, { code, hasRun: false }],
    [`${code} after it`, { code, hasRun: true }],
  ]),
);

/** Lets statements fail, `begin` and `commit` too. */
export function injectSqliteFaults(injector: FaultInjector<SqliteFault>): void {
  for (const name of ['begin', 'commit', 'execute'] as const) {
    const run = LocalSession.prototype[name] as (...parameters: unknown[]) => unknown;
    replaceMethod(LocalSession.prototype, name, function (this: LocalSession, ...parameters: unknown[]) {
      const fault = injector.next();
      if (fault === undefined) return run.apply(this, parameters);
      if (runs(fault, name)) run.apply(this, parameters);
      throw toError(fault);
    });
    const runOnThread = ThreadedSession.prototype[name] as (...parameters: unknown[]) => Promise<unknown>;
    const replacement = async function (this: ThreadedSession, ...parameters: unknown[]) {
      const fault = injector.next();
      if (fault === undefined) return await runOnThread.apply(this, parameters);
      if (runs(fault, name)) await runOnThread.apply(this, parameters);
      throw toError(fault);
    };
    replaceMethod(ThreadedSession.prototype, name, replacement);
  }
}

/** SQLite begins no transaction when `begin` fails. */
function runs(fault: SqliteFault, name: string): boolean {
  return fault.hasRun && name !== 'begin';
}

function toError({ code }: SqliteFault): Error {
  return new Sqlite.SqliteError('injected', code);
}
