// tier: default
// runs on: sqlite, postgres
// The databases of released versions. `package/releases.test.ts` starts the service on them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Database } from '../../src/database/database.ts';
import { MIGRATIONS, migrate } from '../../src/database/migrator.ts';
import { openEngine, openTestDatabase, sqliteFile } from '../support/database/open-database.ts';
import { readSchema } from '../support/database/schema-reader.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { FIXTURES, listFixtures, unpackFixture } from '../support/package/fixtures.ts';
import { toPostgresSchema } from '../support/package/released-schema.ts';

for (const fixture of listFixtures()) {
  const released = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === fixture.lastStep) + 1);
  const postgresSql = readFileSync(path.join(FIXTURES, fixture.name, 'postgres.sql'), 'utf8');

  test(`no migration of ${fixture.name} was edited after its release`, async () => {
    if (isPostgres) {
      const schema = toPostgresSchema(released);
      assert.equal(postgresSql.slice(0, schema.length), schema);
      return;
    }
    const { database, directory } = await openTestDatabase({ migrated: false });
    await migrate(database, released);
    assert.deepEqual(readStatements(directory), readStatements(unpackBelow(directory)));
  });

  test(`the database of ${fixture.name} is migrated and keeps its entries`, async () => {
    const database = await openReleased();
    await migrate(database);
    const names = (await database.db.selectFrom('entry').select('name').execute()).map(({ name }) => name);
    for (const file of fixture.files) assert.ok(names.includes(path.basename(file.path)), file.path);
    const { database: fresh } = await openTestDatabase({ migrated: false });
    await migrate(fresh);
    assert.deepEqual(await readSchema(database), await readSchema(fresh));
  });

  async function openReleased(): Promise<Database> {
    const { database, directory } = await openTestDatabase({ migrated: false });
    if (isPostgres) {
      await sql.raw(postgresSql).execute(database.db);
      return database;
    }
    const unpacked = new Database(openEngine(undefined, unpackBelow(directory)));
    after(() => unpacked.close());
    return unpacked;
  }

  function unpackBelow(directory: string): string {
    const unpacked = path.join(directory, 'released');
    unpackFixture(fixture, unpacked);
    return unpacked;
  }
}

/** Returns the statements that created the SQLite database in the directory. */
function readStatements(directory: string): readonly unknown[] {
  const database = new Sqlite(sqliteFile(directory), { readonly: true });
  try {
    return database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  } finally {
    database.close();
  }
}
