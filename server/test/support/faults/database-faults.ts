import Sqlite from 'better-sqlite3';
import { LocalSession } from '../../../src/database/sqlite/session.ts';
import { ThreadedSession } from '../../../src/database/sqlite/threaded-session.ts';
import { isPostgres } from '../database/test-database.ts';
import { FaultInjector, type FaultKind, listKinds } from './fault-injector.ts';
import type { FaultScope } from './fault-scope.ts';
import { injectPostgresFaults, POSTGRES_FAULTS, type PostgresFault } from './postgres-faults.ts';
import { replaceMethod } from './replace-method.ts';

/** Makes statements fail, on the engine of this run. Returns the kinds of faults. */
export function injectDatabaseFaults(url: string | undefined, scope: FaultScope): readonly FaultKind[] {
  if (!isPostgres || url === undefined) {
    const injector = new FaultInjector<SqliteFault>(scope);
    injectSqliteFaults(injector);
    return listKinds(injector, SQLITE_FAULTS, [503]);
  }
  const injector = new FaultInjector<PostgresFault>(scope);
  injectPostgresFaults(url, injector);
  return listKinds(injector, POSTGRES_FAULTS, [503]);
}

interface SqliteFault {
  readonly code: string;
  /** Whether the statement has run when it fails. */
  readonly hasRun: boolean;
}

const CODES = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR'] as const;

const SQLITE_FAULTS: Readonly<Record<string, SqliteFault>> = Object.fromEntries(
  CODES.flatMap((code) => [
    [`${code} before it`, { code, hasRun: false }],
    [`${code} after it`, { code, hasRun: true }],
  ]),
);

/** Makes statements fail, including `begin` and `commit`. */
function injectSqliteFaults(injector: FaultInjector<SqliteFault>): void {
  for (const name of ['begin', 'commit', 'execute'] as const) {
    const run = LocalSession.prototype[name] as (...parameters: unknown[]) => unknown;
    replaceMethod(LocalSession.prototype, name, function (this: LocalSession, ...parameters: unknown[]) {
      const fault = injector.next();
      if (fault === undefined) return run.apply(this, parameters);
      if (hasEffect(fault, name)) run.apply(this, parameters);
      throw toError(fault);
    });
    const runOnThread = ThreadedSession.prototype[name] as (...parameters: unknown[]) => Promise<unknown>;
    const replacement = async function (this: ThreadedSession, ...parameters: unknown[]) {
      const fault = injector.next();
      if (fault === undefined) return await runOnThread.apply(this, parameters);
      if (hasEffect(fault, name)) await runOnThread.apply(this, parameters);
      throw toError(fault);
    };
    replaceMethod(ThreadedSession.prototype, name, replacement);
  }
}

/** SQLite begins no transaction when `begin` fails. */
function hasEffect(fault: SqliteFault, name: string): boolean {
  return fault.hasRun && name !== 'begin';
}

function toError({ code }: SqliteFault): Error {
  return new Sqlite.SqliteError('injected', code);
}
