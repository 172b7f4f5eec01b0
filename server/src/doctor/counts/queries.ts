import { sql } from 'kysely';
import type { Db, Tx } from '../../database/database.ts';
import { isOn, type KeyPage, limitOf, readKeys } from '../queries.ts';

/** A column whose value follows from other rows or columns. */
interface Count {
  readonly table: string;
  /** The column that identifies the row. */
  readonly key: string;
  readonly column: string;
  /** An SQL expression for the value that the column must have; null if that is not known. */
  readonly expected: string;
  /** Whether the key is a number. */
  readonly hasNumber: boolean;
  /** Whether the doctor may set the column. It must not if either value could be the wrong one. */
  readonly isRepairable: boolean;
}

/**
 * The columns that no other check covers. A test compares the list with the schema. The expressions repeat
 * what `textBytesOf` (transfers) and `replaceDeadProperties` (WebDAV) charge.
 */
export const COUNTS: readonly Count[] = [
  ofTransfer('file_count', `select count(*) from transfer_file where session_id = transfer_session.id`),
  ofTransfer(
    'text_bytes',
    `select coalesce(sum(100 + octet_length(name) + coalesce(octet_length(encrypted_name), 0)
        + coalesce(octet_length(relative_path), 0) + coalesce(octet_length(content_type), 0)), 0)
      from transfer_file where session_id = transfer_session.id`,
  ),
  ofTransfer(
    'offline_bytes',
    `select coalesce(sum(size), 0) from transfer_file
      where session_id = transfer_session.id and transfer_session.mode = 'OFFLINE'`,
  ),
  ofTransfer('signal_count', `select count(*) from transfer_signal where session_id = transfer_session.id`),
  {
    ...{ table: 'transfer_file', key: 'id', hasNumber: false, column: 'size', isRepairable: false },
    expected: 'select blob.size from blob where blob.id = transfer_file.blob_id',
  },
  {
    ...{ table: 'file_version', key: 'id', hasNumber: true, column: 'size', isRepairable: false },
    expected: 'select blob.size from blob where blob.id = file_version.blob_id',
  },
  {
    ...{ table: 'file_version', key: 'id', hasNumber: true, column: 'drive_id', isRepairable: true },
    expected: 'select entry.drive_id from entry where entry.id = file_version.entry_id',
  },
  {
    ...{ table: 'drive', key: 'id', hasNumber: true, column: 'member_count', isRepairable: true },
    expected: 'select count(*) from drive_member where drive_member.drive_id = drive.id',
  },
  {
    ...{ table: 'star', key: 'entry_id', hasNumber: true, column: 'drive_id', isRepairable: true },
    expected: 'select entry.drive_id from entry where entry.id = star.entry_id',
  },
  {
    ...{
      table: 'timeline_exclusion',
      key: 'entry_id',
      hasNumber: true,
      column: 'drive_id',
      isRepairable: true,
    },
    expected: 'select entry.drive_id from entry where entry.id = timeline_exclusion.entry_id',
  },
  {
    ...{ table: 'dav_property', key: 'entry_id', hasNumber: true, column: 'bytes', isRepairable: true },
    expected: 'select 256 + octet_length(properties)',
  },
  {
    ...{ table: 'dav_property', key: 'entry_id', hasNumber: true, column: 'drive_id', isRepairable: true },
    expected: 'select entry.drive_id from entry where entry.id = dav_property.entry_id',
  },
];

function ofTransfer(column: string, expected: string): Count {
  return { table: 'transfer_session', key: 'id', hasNumber: false, column, expected, isRepairable: true };
}

/** The keys, as text, of rows whose column does not have the expected value. */
export function findMiscounted(db: Db, count: Count, page: KeyPage): Promise<readonly string[]> {
  const column = sql.ref(`${count.table}.${count.key}`);
  const key = sql`cast(${column} as text)`;
  const isShown = 'only' in page ? sql`${column} = ${toKey(count, page.only)}` : isOn(page, key);
  return readKeys(
    db,
    sql`select ${key} as key from ${sql.table(count.table)}
      where ${sql.ref(`${count.table}.${count.column}`)} <> (${sql.raw(count.expected)}) and ${isShown}
      order by key ${limitOf(page)}`,
  );
}

/** Locks the row until the transaction ends. Every change to what it counts locks the row first. */
export async function lockCounted(tx: Tx, count: Count, id: string): Promise<void> {
  const { table, key, column } = count;
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}
    where ${sql.ref(key)} = ${toKey(count, id)}`.execute(tx);
}

export async function recount(tx: Tx, count: Count, id: string): Promise<void> {
  const { table, key, column, expected } = count;
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = (${sql.raw(expected)})
    where ${sql.ref(key)} = ${toKey(count, id)}`.execute(tx);
}

/** Converts a key to its column's type, so that an index finds it. */
function toKey({ hasNumber }: Count, id: string): string | number {
  return hasNumber ? Number(id) : id;
}
