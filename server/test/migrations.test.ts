import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../src/database/database.ts';
import { MIGRATIONS, migrate } from '../src/database/migrator.ts';
import { startPrograms } from './support/child-programs.ts';
import { openTestDatabase } from './support/open-database.ts';
import { readSchema } from './support/schema-reader.ts';
import { isPostgres } from './support/test-database.ts';

describe('the migrator', () => {
  it('brings an empty database up to this program', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await migrate(database);
    assert.deepEqual(
      await stepsOf(database),
      MIGRATIONS.map((migration) => migration.name),
    );
  });

  it('does nothing the second time', async () => {
    const { database } = await openTestDatabase();
    await database.transact((tx) =>
      tx.insertInto('setting').values({ name: 'kept', value: 'yes', updated_at: 1 }).execute(),
    );
    const before = await readSchema(database);
    await migrate(database);
    assert.deepEqual(await readSchema(database), before);
    const kept = await database.db.selectFrom('setting').select('value').executeTakeFirst();
    assert.equal(kept?.value, 'yes');
  });

  it('lets one of several instances do it that start at the same time', async () => {
    const { database, url, directory } = await openTestDatabase({ migrated: false });
    const ends = await startPrograms('migrate-child.ts', 4, [directory, ...(url === undefined ? [] : [url])]);
    assert.deepEqual(ends, ['migrated', 'migrated', 'migrated', 'migrated']);
    assert.equal((await stepsOf(database)).length, MIGRATIONS.length);
  });

  it('refuses a schema that comes from a newer program, and leaves it alone', async () => {
    const { database } = await openTestDatabase();
    const newer = { name: '9999-from-the-future', statements: () => ['create table future (id integer)'] };
    await migrate(database, [...MIGRATIONS, newer]);
    const before = await readSchema(database);
    await assert.rejects(
      migrate(database),
      /^Error: The database has the schema step 9999-from-the-future, which this version of Holdall does not know\.$/,
    );
    assert.deepEqual(await readSchema(database), before);
  });

  it('leaves nothing of a step that fails', async () => {
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

describe('a database from before there were storage policies', () => {
  it('gets one for the local disk, and what is stored lies there', async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await migrate(database, MIGRATIONS.slice(0, 1));
    await database.transact((tx) =>
      sql`insert into blob (object_key, kind, size, reference_count, created_by, created_at)
        values ('blobs/1', 'FILE', 1, 1, 1, 70), ('blobs/2', 'AVATAR', 1, 1, 1, 50)`.execute(tx),
    );
    await migrate(database);
    const [policy, ...others] = await database.db.selectFrom('storage_policy').selectAll().execute();
    assert.deepEqual(others, []);
    assert.deepEqual([policy?.type, policy?.is_default, policy?.created_at], ['LOCAL', 1, 50]);
    const blobs = await database.db.selectFrom('blob').select('policy_id').execute();
    assert.deepEqual(
      blobs.map((blob) => blob.policy_id),
      [policy?.id, policy?.id],
    );
  });

  it('gets none when nothing is stored: the first start makes one', async () => {
    const { database } = await openTestDatabase();
    assert.deepEqual(await database.db.selectFrom('storage_policy').selectAll().execute(), []);
  });
});

if (isPostgres) {
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

async function stepsOf(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}
