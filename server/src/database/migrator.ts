import { sql } from 'kysely';
import type { Database, Db, Tx } from './database.ts';
import type { Migration } from './migration.ts';
import { accountsAndDrive } from './migrations/0001-accounts-and-drive.ts';
import { policiesAndSessions } from './migrations/0002-policies-and-sessions.ts';
import { shares } from './migrations/0003-shares.ts';
import { transfers } from './migrations/0004-transfers.ts';
import { tasks } from './migrations/0005-tasks.ts';
import { search } from './migrations/0006-search.ts';
import { events } from './migrations/0007-events.ts';
import { administration } from './migrations/0008-administration.ts';
import { blobMoves } from './migrations/0009-blob-moves.ts';
import { releases } from './migrations/0010-releases.ts';
import { entryQuota } from './migrations/0011-entry-quota.ts';
import { uploadReservations } from './migrations/0012-upload-reservations.ts';
import { appPasswords } from './migrations/0013-app-passwords.ts';
import { modificationTimes } from './migrations/0014-modification-times.ts';
import { webdav } from './migrations/0015-webdav.ts';
import { fileVersions } from './migrations/0016-file-versions.ts';
import { zipTickets } from './migrations/0017-zip-tickets.ts';
import { searchByWords } from './migrations/0018-search-by-words.ts';
import { sessionDevices } from './migrations/0019-session-devices.ts';
import { stars } from './migrations/0020-stars.ts';
import { invites } from './migrations/0021-invites.ts';
import { temporaryPasswords } from './migrations/0022-temporary-passwords.ts';
import { timeline } from './migrations/0023-timeline.ts';
import { kinds } from './migrations/0024-kinds.ts';
import { accountDeletion } from './migrations/0025-account-deletion.ts';
import { folderLinks } from './migrations/0026-folder-links.ts';
import { secondFactors } from './migrations/0027-second-factors.ts';
import { passkeys } from './migrations/0028-passkeys.ts';
import { encryptedTransfers } from './migrations/0029-encrypted-transfers.ts';
import { identities } from './migrations/0030-identities.ts';

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
  releases,
  entryQuota,
  uploadReservations,
  appPasswords,
  modificationTimes,
  webdav,
  fileVersions,
  zipTickets,
  searchByWords,
  sessionDevices,
  stars,
  invites,
  temporaryPasswords,
  timeline,
  kinds,
  accountDeletion,
  folderLinks,
  secondFactors,
  passkeys,
  encryptedTransfers,
  identities,
];

/**
 * Applies the migrations that the database does not have yet, in one transaction. A lock makes sure that only
 * one of several starting instances does it.
 *
 * @throws Error when the schema is newer than this program
 */
export function migrate(database: Database, migrations = MIGRATIONS): Promise<void> {
  return database.transact((tx) => migrateInTransaction(tx, database, migrations));
}

/** Like `migrate`, in the caller's transaction. */
export async function migrateInTransaction(
  tx: Tx,
  database: Database,
  migrations = MIGRATIONS,
): Promise<void> {
  await lockSchema(tx, database);
  await sql
    .raw(`create table if not exists schema_step (name ${database.engine.columnTypes.text} primary key)`)
    .execute(tx);
  const applied = await readApplied(tx);
  checkKnown(applied, migrations);
  for (const migration of migrations.slice(applied.length)) {
    for (const statement of migration.statements(database.engine.columnTypes, database.engine.name))
      await sql.raw(statement).execute(tx);
    await migration.fill?.(tx);
    await sql`insert into schema_step (name) values (${migration.name})`.execute(tx);
  }
}

/** Makes other callers that want to change the schema wait until the transaction ends. */
export async function lockSchema(tx: Tx, { engine }: Database): Promise<void> {
  if (engine.migrationLock !== undefined) await sql.raw(engine.migrationLock).execute(tx);
}

/** The names of the applied migrations; empty for a database that Holdall has never used. */
export async function readAppliedMigrations(db: Db): Promise<readonly string[]> {
  return (await db.introspection.getTables()).some(({ name }) => name === 'schema_step')
    ? readApplied(db)
    : [];
}

/**
 * For commands that run while the service runs, and must not change its schema.
 * @throws Error with a message to print, unless all migrations are applied
 */
export async function checkMigrated(db: Db): Promise<void> {
  const applied = await readAppliedMigrations(db);
  if (applied.length === 0) throw new Error('The database is empty. Start the service once.');
  checkKnown(applied, MIGRATIONS);
  if (applied.length < MIGRATIONS.length) {
    throw new Error(
      'The database is of an earlier version. Start the service, or run "holdall migrate" while it is stopped.',
    );
  }
}

function checkKnown(applied: readonly string[], migrations: readonly Migration[]): void {
  const unknown = applied.find((name, position) => migrations[position]?.name !== name);
  if (unknown === undefined) return;
  throw new Error(
    `The database has the schema step ${unknown}, which this version of Holdall does not know.`,
  );
}

async function readApplied(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(db);
  return rows.map((row) => row.name);
}
