// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { Database } from '../../src/database/database.ts';
import { BLOB_REFERENCES } from '../../src/doctor/blobs/queries.ts';
import { COUNTS } from '../../src/doctor/counts/queries.ts';
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
    // The schema now names other columns than the index was built from.
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
  // The text of a blob is deleted with it, so it is no reference.
  const ofTexts = ['blob_text', 'text_queue'];
  const toBlobs = rows
    .filter(({ table, target }) => target === 'blob' && !ofTexts.includes(table))
    .map(toLine);
  assert.deepEqual(toBlobs.sort(), BLOB_REFERENCES.map((pair) => pair.join('.')).sort());
  const checked = [...LINKS.map(toLine), 'entry.parent_id', 'entry.blob_id', 'blob.policy_id'];
  assert.deepEqual(
    rows.map(toLine).filter((line) => !checked.includes(line)),
    [],
  );
});

/** Columns that the rules of other checks compare with what they count. */
const CHECKED_ELSEWHERE = [
  'blob.reference_count',
  // Compared with the size of the object.
  'blob.size',
  'blob_total.bytes',
  'blob_total.objects',
  'drive.entry_count',
  'drive.file_count',
  'drive.kept_bytes',
  'drive.used_bytes',
  'entry.child_count',
  'entry.size',
];

/** Columns that no other row can confirm: limits, and counts of past events or of announced bytes. */
const NOT_COMPARABLE = [
  ...['drive.max_entries', 'drive.max_upload_bytes', 'drive.quota_bytes'],
  ...[
    'blob_move.size',
    'blob_text.text_bytes',
    'credential_attempt.failures',
    'folder_link.max_bytes',
    'folder_link.max_files',
  ],
  ...['folder_link.received_bytes', 'folder_link.received_files'],
  ...['folder_link.unnotified_bytes', 'folder_link.unnotified_files'],
  ...[
    'invite.max_uses',
    'invite.used_count',
    'job_run.failures',
    'mail.attempts',
    'passkey.sign_count',
    'push_delivery.attempts',
    'request_count.requests',
    'text_queue.attempts',
  ],
  ...['share.download_count', 'share.max_downloads', 'share.view_count'],
  ...['storage_policy.max_object_size', 'storage_policy.max_size_bytes'],
  ...['task.attempt_count', 'task.max_attempts', 'task.unknown_failures'],
  ...['upload_part.size', 'upload_reservation.bytes', 'upload_session.attempts'],
  ...['upload_session.chunk_count', 'upload_session.chunk_size', 'upload_session.received_bytes'],
  ...['upload_session.received_parts', 'upload_session.sent_bytes', 'upload_session.size'],
  ...['upload_session.stored_size', 'upload_ticket.max_bytes', 'upload_ticket.size'],
];

test('every column that counts something is compared with what it counts', async () => {
  const { rows } = await sql<{ name: string }>`${sql.raw(
    isPostgres
      ? `select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = current_schema() and data_type in ('bigint', 'integer')`
      : `select t.name || '.' || c.name as name from sqlite_schema as t, pragma_table_info(t.name) as c
          where t.type = 'table' and lower(c.type) = 'integer'`,
  )}`.execute(database.db);
  const counting =
    /[._](count|bytes|size|entries|files|objects|uses|downloads|attempts|parts|requests|failures)$/;
  const expected = [
    ...COUNTS.map(({ table, column }) => `${table}.${column}`).filter((name) => counting.test(name)),
    ...CHECKED_ELSEWHERE,
    ...NOT_COMPARABLE,
  ];
  const found = rows.map(({ name }) => name).filter((name) => counting.test(name));
  assert.deepEqual(found.sort(), expected.sort());
});
