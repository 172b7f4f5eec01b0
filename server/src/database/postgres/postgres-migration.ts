import { type QueryExecutorProvider, sql } from 'kysely';
import { MINUTE, SECOND } from '../../base/clock.ts';
import type { SharedMigration } from '../engine.ts';
import { type LongIndex, toStatement } from '../migration.ts';

/** The number of the advisory lock for changing the schema. All versions use the same one. */
export const SCHEMA_LOCK = 4806291746;

/**
 * While a migration waits for a lock, everyone else waits behind it. So it gives up soon and tries again
 * later.
 */
const LOCK_MS = 3 * SECOND;

const LOCK_TIMEOUT = '55P03';

const MAX_BLOCKERS = 3;

export class PostgresMigration implements SharedMigration {
  readonly #lockMs: number;

  constructor(lockMs = LOCK_MS) {
    this.#lockMs = lockMs;
  }

  async begin(tx: QueryExecutorProvider): Promise<boolean> {
    await sql.raw('set local statement_timeout = 0').execute(tx);
    await sql.raw('set local idle_in_transaction_session_timeout = 0').execute(tx);
    await sql.raw(`set local lock_timeout = ${this.#lockMs}`).execute(tx);
    return await isTrue(tx, `select pg_try_advisory_xact_lock(${SCHEMA_LOCK}) as answer`);
  }

  isBlocked(error: unknown): boolean {
    if (!(error instanceof Error)) return false;
    return ('code' in error && error.code === LOCK_TIMEOUT) || this.isBlocked(error.cause);
  }

  async findBlockers(db: QueryExecutorProvider): Promise<readonly string[]> {
    // The times of another role's transactions cannot be read (null), but they may be the blockers.
    const { rows } = await sql<{ pid: number; name: string; ms: number | null }>`
      select a.pid, coalesce(nullif(a.application_name, ''), a.usename, 'a connection') as name,
        (extract(epoch from clock_timestamp() - a.xact_start) * 1000)::float8 as ms
      from pg_stat_activity a
      where a.datname = current_database() and a.pid <> pg_backend_pid()
        and exists (select 1 from pg_locks l
          where l.pid = a.pid and l.locktype = 'relation' and l.granted and l.database = a.datid)
        and (a.xact_start is null
          or a.xact_start < clock_timestamp() - ${this.#lockMs} * interval '1 millisecond')
      order by a.xact_start nulls last limit ${MAX_BLOCKERS}`.execute(db);
    return rows.map(({ pid, name, ms }) => {
      const age = ms === null ? '' : `, for ${toText(ms)}`;
      return `${name} (process ${pid}${age})`;
    });
  }

  async buildIndexes(
    connection: QueryExecutorProvider,
    { name, indexes }: { readonly name: string; readonly indexes: readonly LongIndex[] },
  ): Promise<boolean> {
    // Does not wait for the lock: a waiting statement holds a snapshot, and the build waits for all older
    // snapshots.
    if (!(await isTrue(connection, `select pg_try_advisory_lock(${SCHEMA_LOCK}) as answer`))) return false;
    const run = (statement: string) => sql.raw(statement).execute(connection);
    try {
      await run('set statement_timeout = 0');
      for (const index of indexes) {
        await dropIncomplete(connection, index.name);
        await run(toStatement(index, 'concurrently if not exists'));
      }
      await sql`insert into schema_step (name) values (${name}) on conflict do nothing`.execute(connection);
      return true;
    } finally {
      await run('reset statement_timeout').catch(() => undefined);
      // If unlocking fails, the connection has ended, and its lock with it.
      await run(`select pg_advisory_unlock(${SCHEMA_LOCK})`).catch(() => undefined);
    }
  }
}

/** An interrupted build leaves an index that costs writes but is never used. */
async function dropIncomplete(connection: QueryExecutorProvider, name: string): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${name} and pg_table_is_visible(c.oid) and not i.indisvalid`.execute(connection);
  if (rows.length > 0) await sql.raw(`drop index concurrently if exists ${name}`).execute(connection);
}

async function isTrue(db: QueryExecutorProvider, query: string): Promise<boolean> {
  const { rows } = await sql.raw<{ answer: boolean }>(query).execute(db);
  return rows[0]?.answer === true;
}

function toText(ms: number): string {
  return ms < 2 * MINUTE ? `${Math.round(ms / SECOND)} s` : `${Math.round(ms / MINUTE)} min`;
}
