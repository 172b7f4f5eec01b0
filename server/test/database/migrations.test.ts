// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import Sqlite from 'better-sqlite3';
import { type QueryExecutorProvider, sql } from 'kysely';
import { Database, type Tx } from '../../src/database/database.ts';
import { type BegunMigration, MIGRATIONS, migrate, migrateWithCopy } from '../../src/database/migrator.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { Search } from '../../src/drive/search/search.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { readSchema } from '../support/database/schema-reader.ts';
import { isPostgres } from '../support/database/test-database.ts';

describe('the migrator', () => {
  it('creates the schema in an empty database', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await migrate(database);
    assert.deepEqual(
      await stepsOf(database),
      MIGRATIONS.map((migration) => migration.name),
    );
  });

  it('does nothing when the schema is up to date', async () => {
    const { database } = await openTestDatabase();
    await database.transact((tx) => putSettings(tx, ['yes']));
    const before = await readSchema(database);
    await migrate(database);
    assert.deepEqual(await readSchema(database), before);
    const kept = await database.db.selectFrom('setting').select('value').executeTakeFirst();
    assert.equal(kept?.value, 'yes');
  });

  it('runs once when several instances start at the same time', async () => {
    const { database, url, directory } = await openTestDatabase({ migrated: false });
    const ends = await startPrograms('database/migrate-child.ts', 4, [
      directory,
      ...(url === undefined ? [] : [url]),
    ]);
    assert.deepEqual(ends, ['migrated', 'migrated', 'migrated', 'migrated']);
    assert.equal((await stepsOf(database)).length, MIGRATIONS.length);
  });

  it('rejects a schema of a newer version, and does not change it', async () => {
    const { database } = await openTestDatabase();
    const newer = { name: '9999-from-the-future', statements: () => ['create table future (id integer)'] };
    await migrate(database, [...MIGRATIONS, newer]);
    const before = await readSchema(database);
    await assert.rejects(migrate(database), isRefusalOf('9999-from-the-future'));
    assert.deepEqual(await readSchema(database), before);
  });

  it('rejects a schema of an unreleased version, and does not change or copy it', async () => {
    const { database, directory } = await openTestDatabase({ migrated: false });
    const first = {
      name: '0001-accounts-and-drive',
      statements: () => ['create table setting (id integer)'],
    };
    const second = { name: '0002-policies', statements: () => ['create table policy (id integer)'] };
    await migrate(database, [first, second]);
    const before = await readSchema(database);
    const migrating = migrateWithCopy(database, () => assert.fail('it began'));
    await assert.rejects(migrating, isRefusalOf(first.name));
    assert.deepEqual(await readSchema(database), before);
    assert.deepEqual(copiesIn(directory), []);
  });

  it('runs only the new step on a database with rows, and on SQLite copies it first', async () => {
    const { database, directory } = await openTestDatabase();
    await database.transact((tx) => putSettings(tx, ['kept']));
    const next = { name: '9999-next', statements: () => ['drop table entry_metadata'] };
    const begun: BegunMigration[] = [];
    const migrations = [...MIGRATIONS, next];
    await migrateWithCopy(database, (each) => void begun.push(each), { migrations });
    const copy = isPostgres ? undefined : path.join(directory, 'holdall.db.before-9999');
    const expected: readonly BegunMigration[] = [{ steps: [next.name], copy }];
    assert.deepEqual(begun, expected);
    await assert.rejects(sql`select 1 from entry_metadata`.execute(database.db), /entry_metadata/);
    // The next start has nothing to migrate.
    await migrateWithCopy(database, (each) => void begun.push(each), { migrations });
    assert.deepEqual(begun, expected);
    if (copy === undefined) return;
    assert.deepEqual(copiesIn(directory), [path.basename(copy)]);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    const before = new Sqlite(copy);
    assert.deepEqual(before.prepare('select value from setting').pluck().all(), ['kept']);
    assert.deepEqual(before.prepare('select * from entry_metadata').all(), []);
    before.close();
  });

  it('rolls back all migrations when one fails', async () => {
    const { database } = await openTestDatabase();
    const before = await readSchema(database);
    const faulty = {
      name: '9999-faulty',
      statements: () => ['create table half (id integer)', 'create table half (id integer)'],
    };
    await assert.rejects(migrate(database, [...MIGRATIONS, faulty]), /half/);
    assert.deepEqual(await readSchema(database), before);
    assert.equal((await stepsOf(database)).length, MIGRATIONS.length);
  });
});

describe('a migration that fills a column', () => {
  const addLength = {
    name: '9999-lengths',
    statements: () => ['alter table setting add column length integer not null default 0'],
    fill: async (tx: QueryExecutorProvider) => {
      await sql`update setting set length = length(value)`.execute(tx);
    },
  };
  const lengthsIn = async ({ db }: Database) =>
    (await sql<{ length: number }>`select length from setting order by name`.execute(db)).rows.map(
      ({ length }) => length,
    );

  it('fills it in the rows of a database of an earlier version', async () => {
    const { database } = await openTestDatabase();
    await database.transact((tx) => putSettings(tx, ['a', 'four']));
    await migrate(database, [...MIGRATIONS, addLength]);
    assert.deepEqual(await lengthsIn(database), [1, 4]);
  });

  it('leaves the database unchanged if filling it fails', async () => {
    const { database } = await openTestDatabase();
    const before = await readSchema(database);
    const fill = async (tx: QueryExecutorProvider) => {
      await addLength.fill(tx);
      throw new Error('interrupted');
    };
    await assert.rejects(migrate(database, [...MIGRATIONS, { ...addLength, fill }]), /interrupted/);
    assert.deepEqual(await readSchema(database), before);
  });
});

if (isPostgres) {
  describe('without the right to create an extension', () => {
    it('a database is migrated, and searched without the trigram index', async () => {
      const { database, url } = await openTestDatabase({ migrated: false });
      const { role, url: roleUrl } = await makeRole(database, url ?? '');
      const poor = new Database(openPostgres(roleUrl, () => {}));
      try {
        await migrate(poor);
        assert.equal(
          (await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(poor.db)).rows.length,
          0,
        );
        const ids = await poor.transact((tx) => makeDrive(tx, 30));
        assert.equal(await countFound(poor, ids.driveId, 'name 2'), 11);
        assert.equal(await countFound(poor, ids.driveId, 'é'), 0);
      } finally {
        await poor.close();
        await database.transact(async (tx) => {
          await sql.raw(`drop owned by ${role} cascade`).execute(tx);
          await sql.raw(`drop role ${role}`).execute(tx);
        });
      }
    });
  });

  describe('the schema', () => {
    it('has the same tables, columns and unique rules on both engines', async () => {
      const { database: postgres } = await openTestDatabase();
      const { database: sqlite } = await openTestDatabase({ engine: 'sqlite' });
      const schema = await readSchema(postgres);
      assert.ok(schema.tables.length >= 10, `only ${schema.tables.length} tables were read`);
      assert.ok(schema.uniqueRules.length >= 15, `only ${schema.uniqueRules.length} rules were read`);
      assert.deepEqual(schema, await readSchema(sqlite));
    });
  });
}

/** Creates a role that may only create tables in the database. */
async function makeRole(database: Database, url: string): Promise<{ role: string; url: string }> {
  const role = `poor_${randomBytes(6).toString('hex')}`;
  const password = randomBytes(12).toString('hex');
  await database.transact(async (tx) => {
    await sql.raw(`create role ${role} login password '${password}'`).execute(tx);
    await sql.raw(`grant usage, create on schema public to ${role}`).execute(tx);
  });
  const roleUrl = new URL(url);
  roleUrl.username = role;
  roleUrl.password = password;
  return { role, url: roleUrl.href };
}

/** Inserts an account with a drive whose root contains that many directories. */
async function makeDrive(tx: Tx, directories: number): Promise<{ driveId: number }> {
  await sql`
    insert into account (username, folded_username, display_name, role, created_at, updated_at)
    values ('alice', 'alice', 'alice', 'USER', 1, 1)`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    insert into drive (kind, account_id, quota_bytes, max_upload_bytes, max_entries, created_at)
    select 'PERSONAL', id, 1, 1, 1, 1 from account returning id`.execute(tx);
  const driveId = rows[0]?.id ?? 0;
  const insert = (parentId: number | null, name: string) => sql<{ id: number }>`
    insert into entry (drive_id, parent_id, name, folded_name, is_directory, size, child_count, created_at, updated_at)
    values (${driveId}, ${parentId}, ${name}, ${name}, 1, 0, ${parentId === null ? directories : 0}, 1, 1) returning id`;
  const root = (await insert(null, '').execute(tx)).rows[0]?.id ?? 0;
  for (let number = 0; number < directories; number += 1) await insert(root, `name ${number}`).execute(tx);
  return { driveId };
}

async function countFound(database: Database, driveId: number, text: string): Promise<number> {
  const all = { from: undefined, to: undefined };
  const ranges = { size: all, created: all, updated: all, modified: all };
  const types = { isDirectory: undefined, kind: undefined };
  const conditions = { name: text, words: undefined, ...types, ...ranges, paths: [] };
  const { items, total } = await new Search(database).find([driveId], conditions, { page: 0, size: 1_000 });
  assert.equal(items.length, total);
  return total;
}

async function putSettings(tx: Tx, values: readonly string[]): Promise<void> {
  const rows = values.map((value, number) => ({ name: `${number}`, value, updated_at: 1 }));
  await tx.insertInto('setting').values(rows).execute();
}

function isRefusalOf(step: string): (error: unknown) => boolean {
  const sentence =
    `The database has the schema step ${step}, which this version of Holdall does not know: ` +
    'a newer or an unreleased version made it.';
  return (error) => error instanceof Error && error.message === sentence;
}

function copiesIn(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => name.includes('.before-'));
}

async function stepsOf(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}

/** Runs a program of `test/support` several times at once. Returns what each printed, errors included. */
function startPrograms(file: string, times: number, words: readonly string[]): Promise<readonly string[]> {
  const program = path.join(import.meta.dirname, '..', 'support', file);
  return Promise.all(
    Array.from({ length: times }, async () => {
      const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
      const [printed, faults] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return printed + faults;
    }),
  );
}
