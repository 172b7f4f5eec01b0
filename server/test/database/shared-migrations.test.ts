// tier: default
// runs on: postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { Database } from '../../src/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/database/migrator.ts';
import { openPostgres } from '../../src/database/postgres/postgres.ts';
import { openTestDatabase } from '../support/database/open-database.ts';

describe('a migration while others use the database', () => {
  const addColumn = {
    name: '9999-column',
    statements: () => ['alter table entry add column extra bigint'],
  };

  it('does not block others while it waits, and completes when the long reader ends', async () => {
    const { database, url } = await openTestDatabase();
    const migrating = new Database(openPostgres(url ?? '', () => {}, { migrationLockMs: 100 }));
    const told: string[] = [];
    const ended = Promise.withResolvers<void>();
    const reading = Promise.withResolvers<void>();
    const reader = database.readSnapshot(async (db) => {
      await sql`select count(*) from entry`.execute(db);
      reading.resolve();
      await ended.promise;
    });
    await reading.promise;
    const onWait = (sentence: string) => void told.push(sentence);
    const migration = migrate(migrating, [...MIGRATIONS, addColumn], { onWait, pauseMs: 20 });
    await waitUntil('the migration is blocked', () => told.length > 0);
    // A request could be blocked for minutes. Here each query waits at most for the short limit of the lock.
    for (let query = 0; query < 20; query += 1) {
      await sql`select count(*) from entry`.execute(database.db);
    }
    assert.match(
      told[0] ?? '',
      /^The schema cannot be changed while others read the same tables: holdall \(process \d+, for \d+ s\)/,
    );
    assert.equal((await stepsOf(database)).includes(addColumn.name), false);
    ended.resolve();
    await Promise.all([reader, migration]);
    assert.equal((await stepsOf(database)).at(-1), addColumn.name);
    await migrating.close();
  });

  it('gives up with one sentence that names the long reader', async () => {
    const { database, url } = await openTestDatabase();
    const migrating = new Database(openPostgres(url ?? '', () => {}, { migrationLockMs: 50 }));
    await database.readSnapshot(async (db) => {
      await sql`select count(*) from entry`.execute(db);
      await assert.rejects(
        migrate(migrating, [...MIGRATIONS, addColumn], { pauseMs: 1, maxBlockedMs: 60 }),
        /^Error: The schema cannot be changed while .* \(process \d+, for \d+ s\)\. Let the backup or query end/,
      );
    });
    await migrating.close();
  });

  it('has no time limit for its statements, and reports a cancelled one', async () => {
    const { database, url } = await openTestDatabase();
    const migrating = new Database(openPostgres(url ?? '', () => {}, { statementTimeoutMs: 200 }));
    await assert.rejects(sql`select pg_sleep(0.5)`.execute(migrating.db), /statement timeout/);
    const slow = { name: '9998-slow', statements: () => ['select pg_sleep(0.5)'] };
    await migrate(migrating, [...MIGRATIONS, slow]);
    const cancelled = {
      name: '9999-cancelled',
      statements: () => ['select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)'],
    };
    await assert.rejects(
      migrate(migrating, [...MIGRATIONS, slow, cancelled]),
      /^Error: PostgreSQL ended a statement of the migration: canceling statement due to user request\. Nothing/,
    );
    assert.equal((await stepsOf(database)).at(-1), slow.name);
    await migrating.close();
  });

  it('builds long indexes while others write, and completes one that was interrupted', async () => {
    const { database, url } = await openTestDatabase();
    const step = {
      name: '9998-long-index',
      indexes: () => [{ name: 'setting__long', isUnique: true, on: 'setting (value)' }],
    };
    const put = (name: string) =>
      database.transact((tx) =>
        tx.insertInto('setting').values({ name, value: 'same', updated_at: 1 }).execute(),
      );
    await put('one');
    await put('two');
    const after = { name: '9999-after', statements: () => ['create table after_index (id bigint)'] };
    const migrations = [...MIGRATIONS, step, after];
    // Two equal values make the build fail, which leaves an invalid index.
    await assert.rejects(migrate(database, migrations), /setting__long/);
    assert.deepEqual(await findIndex(database), [{ valid: false }]);
    assert.equal((await stepsOf(database)).includes(step.name), false);
    await database.transact((tx) => tx.deleteFrom('setting').where('name', '=', 'two').execute());
    const second = new Database(openPostgres(url ?? '', () => {}));
    const written = Promise.withResolvers<void>();
    const writer = second.transact(async (tx) => {
      await tx.updateTable('setting').set({ value: 'other' }).where('name', '=', 'one').execute();
      await written.promise;
    });
    const migration = migrate(database, migrations);
    await waitUntil('the index is being built', async () => (await findIndex(second)).length === 1);
    // A build in a transaction would wait for the writer, and later writers would wait for the build.
    await second.transact((tx) =>
      tx.insertInto('setting').values({ name: 'three', value: 'new', updated_at: 1 }).execute(),
    );
    written.resolve();
    await Promise.all([writer, migration]);
    assert.deepEqual(await findIndex(database), [{ valid: true }]);
    assert.deepEqual((await stepsOf(database)).slice(-2), [step.name, after.name]);
    await second.close();
  });

  async function findIndex({ db }: Database): Promise<readonly unknown[]> {
    const { rows } = await sql`select indisvalid as valid from pg_index
      where indexrelid = to_regclass('setting__long')`.execute(db);
    return rows;
  }
});

async function stepsOf(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_step order by name`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}
