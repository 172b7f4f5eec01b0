import { sql } from 'kysely';
import type { Migration } from './columns.ts';
import type { Database, Tx } from './database.ts';
import { accountsAndDrive } from './migrations/0001-accounts-and-drive.ts';
import { policiesAndSessions } from './migrations/0002-policies-and-sessions.ts';
import { shares } from './migrations/0003-shares.ts';
import { transfers } from './migrations/0004-transfers.ts';
import { tasks } from './migrations/0005-tasks.ts';
import { search } from './migrations/0006-search.ts';
import { events } from './migrations/0007-events.ts';
import { administration } from './migrations/0008-administration.ts';
import { blobMoves } from './migrations/0009-blob-moves.ts';

/** In order of their numbers. */
export const MIGRATIONS: readonly Migration[] = [
  accountsAndDrive,
  policiesAndSessions,
  shares,
  transfers,
  tasks,
  search,
  events,
  administration,
  blobMoves,
];

/**
 * Brings the schema up to this program, all steps in one transaction, under a lock so that of several starting
 * instances one does it.
 *
 * @throws Error when the schema comes from a newer program
 */
export async function migrate(database: Database, migrations = MIGRATIONS): Promise<void> {
  await database.transact(async (tx) => {
    if (database.engine.migrationLock !== undefined) await sql.raw(database.engine.migrationLock).execute(tx);
    const done = await readDone(tx, database);
    const unknown = done.find((name, position) => migrations[position]?.name !== name);
    if (unknown !== undefined) {
      throw new Error(
        `The database has the schema step ${unknown}, which this version of Holdall does not know.`,
      );
    }
    for (const migration of migrations.slice(done.length)) {
      for (const statement of migration.statements(database.engine.columns, database.engine.name))
        await sql.raw(statement).execute(tx);
      await sql`insert into schema_step (name) values (${migration.name})`.execute(tx);
    }
  });
}

async function readDone(tx: Tx, database: Database): Promise<readonly string[]> {
  await sql
    .raw(`create table if not exists schema_step (name ${database.engine.columns.text} primary key)`)
    .execute(tx);
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(tx);
  return rows.map((row) => row.name);
}
