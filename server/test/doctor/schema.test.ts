// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Database } from '../../src/database/database.ts';
import { BLOB_REFERENCES } from '../../src/doctor/blobs/queries.ts';
import { LINKS } from '../../src/doctor/links/queries.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { openEngine } from '../support/database/open-database.ts';
import { isPostgres } from '../support/database/test-database.ts';

const holdall = await startHoldall();
const { database, store } = holdall.app;

if (!isPostgres) {
  test('the doctor reports an SQLite index that does not match its table', async () => {
    const connection = new Sqlite(path.join(holdall.dataDir, 'holdall.db'));
    connection.unsafeMode(true);
    connection.pragma('writable_schema = on');
    const { sql: definition } = connection
      .prepare(`select sql from sqlite_schema where name = 'entry__page_by_size'`)
      .get() as { sql: string };
    // The schema now names other columns than those from which the index was built.
    const update = connection.prepare(`update sqlite_schema set sql = ? where name = 'entry__page_by_size'`);
    update.run(definition.replace('size, id', 'id, size'));
    connection.pragma('writable_schema = reset');
    connection.close();
    const second = new Database(openEngine(undefined, holdall.dataDir));
    const { faults } = await diagnose({ database: second, store }, { isDeep: true });
    await second.close();
    assert.ok(faults.length > 0);
    assert.deepEqual(
      faults.filter(({ rule }) => rule !== 'database-file'),
      [],
    );
  });
}

test('every column that refers to a blob is counted, and every foreign key is checked', async () => {
  const { rows } = await sql<{ table: string; column: string; target: string }>`${sql.raw(
    isPostgres
      ? `select c.conrelid::regclass::text as table, a.attname as column, c.confrelid::regclass::text as target
          from pg_constraint as c join pg_attribute as a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype = 'f'`
      : `select t.name as "table", k."from" as "column", k."table" as target
          from sqlite_schema as t, pragma_foreign_key_list(t.name) as k where t.type = 'table'`,
  )}`.execute(database.db);
  assert.ok(rows.length >= 10);
  const toLine = ({ table, column }: { table: string; column: string }) => `${table}.${column}`;
  const toBlobs = rows.filter(({ target }) => target === 'blob').map(toLine);
  assert.deepEqual(toBlobs.sort(), BLOB_REFERENCES.map((pair) => pair.join('.')).sort());
  const checked = [...LINKS.map(toLine), 'entry.parent_id', 'entry.blob_id', 'blob.policy_id'];
  assert.deepEqual(
    rows.map(toLine).filter((line) => !checked.includes(line)),
    [],
  );
});
