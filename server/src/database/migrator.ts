import { sql } from 'kysely';
import type { Database, Db, Tx } from './database.ts';
import type { SharedMigration } from './engine.ts';
import { type IndexMigration, type Migration, toStatement } from './migration.ts';
import { MigrationWait, type WaitOptions } from './migration-wait.ts';
import { schema } from './migrations/0001-schema.ts';

/** All migrations, in the order of their numbers. */
export const MIGRATIONS: readonly Migration[] = [schema];

/**
 * Applies all pending migrations in one transaction. Only an `IndexMigration` on PostgreSQL runs outside of a
 * transaction. A lock makes sure that only one of several starting instances migrates. A migration that waits
 * for a table lock gives up after a few seconds, so that no one waits behind it for long. It is tried again
 * for some minutes.
 *
 * @throws Error when the schema is newer than this program or from an unreleased version, or the migration
 *   was blocked for too long
 */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  options: WaitOptions = {},
): Promise<void> {
  const { sharedMigration } = database.engine;
  if (sharedMigration === undefined) {
    await database.transact((tx) => migrateInTransaction(tx, database, migrations));
    return;
  }
  const wait = new MigrationWait(database, sharedMigration, options);
  for (;;) {
    const result = await runStage(database, sharedMigration, migrations).catch((error: unknown) => error);
    if (result === 'done') return;
    if (result === 'busy') await wait.forOther();
    else if (result !== 'more') await wait.afterError(result);
  }
}

/** Runs the pending steps up to the next index step in one transaction, then that step outside of any. */
async function runStage(
  database: Database,
  sharedMigration: SharedMigration,
  migrations: readonly Migration[],
): Promise<'done' | 'more' | 'busy'> {
  const next = await database.transact(async (tx) => {
    if (!(await sharedMigration.begin(tx))) return 'busy';
    const applied = await readOrCreateSteps(tx, database);
    checkKnown(applied, migrations);
    const missing = migrations.slice(applied.length);
    // The tables of a new database are empty, so even indexes are built quickly within this transaction.
    const isNew = applied.length === 0;
    const firstIndexes = isNew ? undefined : missing.find(isIndexMigration);
    const end = firstIndexes === undefined ? missing.length : missing.indexOf(firstIndexes);
    for (const migration of missing.slice(0, end)) await applyMigration(tx, database, migration);
    return firstIndexes;
  });
  if (next === undefined) return 'done';
  if (next === 'busy') return 'busy';
  const step = { name: next.name, indexes: next.indexes(database.engine.name) };
  try {
    const isBuilt = await database.db
      .connection()
      .execute((connection) => sharedMigration.buildIndexes(connection, step));
    return isBuilt ? 'more' : 'busy';
  } catch (error) {
    throw database.translate(error);
  }
}

/** What `migrateWithCopy` reports. */
export interface BegunMigration {
  /** The names of the steps that begin now. */
  readonly steps: readonly string[];
  /** Where the database was copied to; undefined where the engine does not do that. */
  readonly copy: string | undefined;
}

/**
 * Like `migrate`. If the database is from an earlier version, it is copied first, because migrations cannot
 * be undone.
 * @param onBegin called after the copy and before the first step
 * @throws Error also if there is no room for the copy. Then nothing has changed
 */
export async function migrateWithCopy(
  database: Database,
  onBegin: (begun: BegunMigration) => void,
  { migrations = MIGRATIONS, ...options }: WaitOptions & { readonly migrations?: readonly Migration[] } = {},
): Promise<void> {
  while (!(await copyBeforeMigration(database, onBegin, migrations))) {
    // Another process migrated after the steps were read and before the copy, so they are read again.
  }
  await migrate(database, migrations, options);
}

/** Returns false if the applied steps changed meanwhile. Then no copy was made. */
async function copyBeforeMigration(
  database: Database,
  onBegin: (begun: BegunMigration) => void,
  migrations: readonly Migration[],
): Promise<boolean> {
  const applied = await readAppliedMigrations(database.db).catch((error: unknown) => {
    throw database.translate(error);
  });
  checkKnown(applied, migrations);
  const steps = migrations.slice(applied.length).map(({ name }) => name);
  const [first] = steps;
  if (applied.length === 0 || first === undefined) return true;
  const { saveCopy } = database.engine;
  const copy = await saveCopy?.(first.slice(0, 4), applied);
  if (saveCopy !== undefined && copy === undefined) return false;
  onBegin({ steps, copy });
  return true;
}

/** Like `migrate`, but in the caller's transaction, which also builds all indexes. */
export async function migrateInTransaction(
  tx: Tx,
  database: Database,
  migrations = MIGRATIONS,
): Promise<void> {
  await lockSchema(tx, database);
  const applied = await readOrCreateSteps(tx, database);
  checkKnown(applied, migrations);
  for (const migration of migrations.slice(applied.length)) await applyMigration(tx, database, migration);
}

async function readOrCreateSteps(tx: Tx, { engine }: Database): Promise<readonly string[]> {
  await sql
    .raw(`create table if not exists schema_step (name ${engine.columnTypes.text} primary key)`)
    .execute(tx);
  return await readApplied(tx);
}

async function applyMigration(tx: Tx, { engine }: Database, migration: Migration): Promise<void> {
  const statements = isIndexMigration(migration)
    ? migration.indexes(engine.name).map((index) => toStatement(index))
    : migration.statements(engine.columnTypes, engine.name);
  for (const statement of statements) await sql.raw(statement).execute(tx);
  if (!isIndexMigration(migration)) await migration.fill?.(tx);
  await sql`insert into schema_step (name) values (${migration.name})`.execute(tx);
}

function isIndexMigration(migration: Migration): migration is IndexMigration {
  return 'indexes' in migration;
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
 * For commands that run alongside the server and must not change its schema.
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

/**
 * The names of the migrations that are not applied yet.
 * @throws Error when the schema is newer than this program, or from an unreleased version
 */
export async function findPendingMigrations(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  const applied = await readAppliedMigrations(db);
  checkKnown(applied, migrations);
  return migrations.slice(applied.length).map(({ name }) => name);
}

function checkKnown(applied: readonly string[], migrations: readonly Migration[]): void {
  const unknown = applied.find((name, position) => migrations[position]?.name !== name);
  if (unknown === undefined) return;
  throw new Error(
    `The database has the schema step ${unknown}, which this version of Holdall does not know: ` +
      'a newer or an unreleased version made it.',
  );
}

async function readApplied(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(db);
  return rows.map((row) => row.name);
}
