// tier: default
// runs on: sqlite, postgres
// The databases of released versions. `package/releases.test.ts` starts the service on them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { MIGRATIONS, migrate } from '../../src/database/migrator.ts';
import { openTestDatabase, sqliteFile } from '../support/database/open-database.ts';
import { readSchema } from '../support/database/schema-reader.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { FIXTURES, listFixtures, unpackFixture } from '../support/package/fixtures.ts';
import { toPostgresSchema } from '../support/package/released-schema.ts';

for (const fixture of listFixtures()) {
  const released = MIGRATIONS.slice(0, MIGRATIONS.findIndex(({ name }) => name === fixture.lastStep) + 1);
  const postgresSql = readFileSync(path.join(FIXTURES, fixture.name, 'postgres.sql'), 'utf8');

  test(`no migration of ${fixture.name} was edited after its release`, { skip: isPostgres }, async () => {
    assert.ok(postgresSql.startsWith(toPostgresSchema(released)), 'the schema of PostgreSQL differs');
    const { database, directory } = await openTestDatabase({ migrated: false });
    await migrate(database, released);
    const unpacked = path.join(directory, 'released');
    unpackFixture(fixture, unpacked);
    assert.deepEqual(readStatements(sqliteFile(directory)), readStatements(sqliteFile(unpacked)));
  });

  test(`the PostgreSQL database of ${fixture.name} is migrated and keeps its rows`, {
    skip: !isPostgres,
  }, async () => {
    const { database } = await openTestDatabase({ migrated: false });
    await sql.raw(postgresSql).execute(database.db);
    await migrate(database);
    const names = await database.db.selectFrom('entry').select('name').execute();
    for (const file of fixture.files)
      assert.ok(
        names.some(({ name }) => name === path.basename(file.path)),
        file.path,
      );
    const { database: fresh } = await openTestDatabase({ migrated: false });
    await migrate(fresh);
    assert.deepEqual(await readSchema(database), await readSchema(fresh));
  });
}

function readStatements(file: string): readonly unknown[] {
  const database = new Sqlite(file, { readonly: true });
  try {
    return database.prepare('select type, name, sql from sqlite_schema order by type, name').all();
  } finally {
    database.close();
  }
}
