import { isPostgres } from '../database/test-database.ts';
import { FaultInjector, type FaultKind, listKinds } from './fault-injector.ts';
import type { FaultScope } from './fault-scope.ts';
import { injectPostgresFaults, POSTGRES_FAULTS, type PostgresFault } from './postgres-faults.ts';
import { injectSqliteFaults, SQLITE_FAULTS, type SqliteFault } from './sqlite-faults.ts';

/** Lets statements fail, on the engine of this run. Returns the kinds of faults. */
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
