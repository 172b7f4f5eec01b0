import { sql } from 'kysely';
import type { Db } from '../../database/database.ts';
import { isOn, type KeyPage, limitOf, readKeys } from '../queries.ts';

/** A column that refers to the id of another table. */
interface Link {
  readonly table: string;
  /** The column that identifies the row in messages. */
  readonly key: string;
  readonly column: string;
  readonly target: string;
}

/** The links that no other check covers. A test compares the list with the schema. */
export const LINKS: readonly Link[] = [
  { table: 'account', key: 'id', column: 'avatar_blob_id', target: 'blob' },
  { table: 'text_queue', key: 'blob_id', column: 'blob_id', target: 'blob' },
  { table: 'blob_text', key: 'blob_id', column: 'blob_id', target: 'blob' },
  { table: 'session', key: 'id', column: 'account_id', target: 'account' },
  { table: 'ended_session', key: 'id', column: 'account_id', target: 'account' },
  { table: 'account_token', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'app_password', key: 'id', column: 'account_id', target: 'account' },
  { table: 'totp', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'passkey', key: 'id', column: 'account_id', target: 'account' },
  { table: 'identity', key: 'id', column: 'account_id', target: 'account' },
  { table: 'mail', key: 'id', column: 'account_id', target: 'account' },
  { table: 'mail_count', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'notification', key: 'id', column: 'account_id', target: 'account' },
  { table: 'notification_setting', key: 'kind', column: 'account_id', target: 'account' },
  { table: 'known_login', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'push_subscription', key: 'id', column: 'account_id', target: 'account' },
  { table: 'push_subscription', key: 'id', column: 'session_id', target: 'session' },
  { table: 'push_delivery', key: 'id', column: 'subscription_id', target: 'push_subscription' },
  { table: 'push_delivery', key: 'id', column: 'notification_id', target: 'notification' },
  { table: 'recovery_code', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'drive', key: 'id', column: 'account_id', target: 'account' },
  { table: 'drive_member', key: 'drive_id', column: 'drive_id', target: 'drive' },
  { table: 'drive_member', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'entry', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'star', key: 'entry_id', column: 'entry_id', target: 'entry' },
  { table: 'star', key: 'entry_id', column: 'account_id', target: 'account' },
  { table: 'timeline_exclusion', key: 'entry_id', column: 'entry_id', target: 'entry' },
  { table: 'timeline_exclusion', key: 'entry_id', column: 'account_id', target: 'account' },
  { table: 'entry_metadata', key: 'entry_id', column: 'entry_id', target: 'entry' },
  { table: 'file_version', key: 'id', column: 'entry_id', target: 'entry' },
  { table: 'file_version', key: 'id', column: 'blob_id', target: 'blob' },
  { table: 'event', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'share', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'share', key: 'id', column: 'entry_id', target: 'entry' },
  { table: 'folder_link', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'folder_link', key: 'id', column: 'entry_id', target: 'entry' },
  { table: 'transfer_session', key: 'id', column: 'account_id', target: 'account' },
  { table: 'transfer_file', key: 'id', column: 'session_id', target: 'transfer_session' },
  { table: 'transfer_file', key: 'id', column: 'blob_id', target: 'blob' },
  { table: 'transfer_signal', key: 'session_id', column: 'session_id', target: 'transfer_session' },
  { table: 'upload_session', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'upload_session', key: 'id', column: 'policy_id', target: 'storage_policy' },
  { table: 'upload_part', key: 'session_id', column: 'session_id', target: 'upload_session' },
  { table: 'upload_ticket', key: 'object_key', column: 'account_id', target: 'account' },
  { table: 'upload_reservation', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'zip_ticket', key: 'drive_id', column: 'drive_id', target: 'drive' },
  { table: 'task', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'audit', key: 'id', column: 'actor_id', target: 'account' },
  { table: 'active_day', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'last_activity', key: 'account_id', column: 'account_id', target: 'account' },
  { table: 'blob_relocation', key: 'id', column: 'source_policy_id', target: 'storage_policy' },
  { table: 'blob_relocation', key: 'id', column: 'target_policy_id', target: 'storage_policy' },
  { table: 'blob_move', key: 'blob_id', column: 'relocation_id', target: 'blob_relocation' },
  { table: 'dav_lock', key: 'id', column: 'drive_id', target: 'drive' },
  { table: 'dav_lock', key: 'id', column: 'entry_id', target: 'entry' },
  { table: 'dav_property', key: 'entry_id', column: 'entry_id', target: 'entry' },
  { table: 'dav_property', key: 'entry_id', column: 'drive_id', target: 'drive' },
  { table: 'mobile_release', key: 'id', column: 'blob_id', target: 'blob' },
];

/** The keys, as text, of rows whose link refers to a missing row. */
export function findBrokenLinks(
  db: Db,
  { table, key, column, target }: Link,
  page: KeyPage,
): Promise<readonly string[]> {
  const keyText = sql`cast(${sql.ref(`${table}.${key}`)} as text)`;
  return readKeys(
    db,
    sql`select distinct ${keyText} as key from ${sql.table(table)}
      where ${sql.ref(`${table}.${column}`)} is not null and ${isOn(page, keyText)}
        and not exists (select 1 from ${sql.table(target)} as target
          where target.id = ${sql.ref(`${table}.${column}`)})
      order by key ${limitOf(page)}`,
  );
}

/** Shares of entries in another drive. */
export function findForeignShares(db: Db, page: KeyPage): Promise<readonly string[]> {
  return readKeys(
    db,
    sql`select cast(share.id as text) as key from share join entry on entry.id = share.entry_id
      where entry.drive_id <> share.drive_id and ${isOn(page, sql`cast(share.id as text)`)}
      order by key ${limitOf(page)}`,
  );
}

/** Folder links to directories in another drive, or to files. */
export function findForeignFolderLinks(db: Db, page: KeyPage): Promise<readonly string[]> {
  return readKeys(
    db,
    sql`select cast(folder_link.id as text) as key
      from folder_link join entry on entry.id = folder_link.entry_id
      where (entry.drive_id <> folder_link.drive_id or entry.is_directory = 0)
        and ${isOn(page, sql`cast(folder_link.id as text)`)}
      order by key ${limitOf(page)}`,
  );
}

/** Files that a ready OFFLINE transfer session offers, but whose bytes are not stored. */
export function findTransferFilesWithoutBytes(db: Db, page: KeyPage): Promise<readonly string[]> {
  return readKeys(
    db,
    sql`select transfer_file.id as key from transfer_file
      join transfer_session on transfer_session.id = transfer_file.session_id
      where transfer_session.mode = 'OFFLINE' and transfer_session.status = 'READY'
        and transfer_file.blob_id is null and ${isOn(page, sql`transfer_file.id`)}
      order by key ${limitOf(page)}`,
  );
}
