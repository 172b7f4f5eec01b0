import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Flag } from '../../database/flag.ts';
import type { EntryWithObject } from './entry-object-queries.ts';

/*
 * SQL for other features whose rows refer to an entry. They put it into their own statements, so they need
 * neither a second query nor the names of the drive's tables.
 *
 * `entryIdColumn` is the column that refers to the entry, such as `share.entry_id`. It is not escaped: it
 * must be a literal.
 */

/** The select list that goes with {@link joinLiveEntry}. Every name begins with `entry_`. */
export const JOINED_ENTRY_COLUMNS = `entry.id as entry_id, entry.drive_id as entry_drive_id,
  entry.parent_id as entry_parent_id, entry.name as entry_name, entry.is_directory as entry_is_directory,
  entry.blob_id as entry_blob_id, entry.size as entry_size, entry.content_type as entry_content_type,
  entry.child_count as entry_child_count, entry.created_at as entry_created_at,
  entry.updated_at as entry_updated_at, entry.modified_at as entry_modified_at, entry.is_starred as entry_is_starred,
  entry.changed_by as entry_changed_by,
  blob.policy_id as entry_policy_id, blob.object_key as entry_object_key`;

export interface JoinedEntryRow {
  entry_id: number;
  entry_drive_id: number;
  entry_parent_id: number | null;
  entry_name: string;
  entry_is_directory: Flag;
  entry_blob_id: number | null;
  entry_size: number;
  entry_content_type: string | null;
  entry_child_count: number;
  entry_created_at: Instant;
  entry_updated_at: Instant;
  entry_modified_at: Instant;
  entry_is_starred: Flag;
  entry_changed_by: number | null;
  entry_policy_id: number | null;
  entry_object_key: string | null;
}

/**
 * Joins the live entry and the object that stores its bytes. Rows whose entry is in the recycle bin drop out.
 */
export function joinLiveEntry(entryIdColumn: string): string {
  return `join entry on entry.id = ${entryIdColumn} and entry.deleted_at is null
  left join blob on blob.id = entry.blob_id`;
}

/** Like {@link joinLiveEntry}, but keeps entries in the recycle bin. */
export function joinAnyEntry(entryIdColumn: string): string {
  return `join entry on entry.id = ${entryIdColumn} left join blob on blob.id = entry.blob_id`;
}

export function toJoinedEntry(row: JoinedEntryRow): EntryWithObject {
  const { entry_policy_id: policyId, entry_object_key: objectKey } = row;
  return {
    entry: {
      id: row.entry_id,
      driveId: row.entry_drive_id,
      parentId: row.entry_parent_id,
      name: row.entry_name,
      isDirectory: row.entry_is_directory === 1,
      blobId: row.entry_blob_id,
      size: row.entry_size,
      contentType: row.entry_content_type,
      childCount: row.entry_child_count,
      createdAt: row.entry_created_at,
      updatedAt: row.entry_updated_at,
      modifiedAt: row.entry_modified_at,
      isStarred: row.entry_is_starred === 1,
      changedBy: row.entry_changed_by,
    },
    location: policyId === null || objectKey === null ? null : { policyId, objectKey },
  };
}

/** The condition that the entry is live, for statements that cannot join. */
export function isLiveEntry(entryIdColumn: string): RawBuilder<SqlBool> {
  return sql.raw(
    `exists (select 1 from entry where entry.id = ${entryIdColumn} and entry.deleted_at is null)`,
  );
}
