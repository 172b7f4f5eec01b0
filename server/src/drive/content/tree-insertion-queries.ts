import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Tx } from '../../database/database.ts';
import { toNameColumns } from '../../database/name-columns.ts';
import { toTypeColumns } from '../../database/type-columns.ts';
import type { NewEntry } from '../entries/entry-queries.ts';

/** Rows per statement. More are not faster, and SQLite allows 32,766 parameters. */
export const ROWS_PER_STATEMENT = 500;

export interface NewTreeEntry extends NewEntry {
  readonly parentId: number;
  /** The number of new entries that are direct children of this one. */
  readonly childCount: number;
}

/** Returns the ids of the new entries, in the same order. The caller has checked that the names are free. */
export async function insertEntries(
  tx: Tx,
  entries: readonly NewTreeEntry[],
  now: Instant,
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let at = 0; at < entries.length; at += ROWS_PER_STATEMENT) {
    const some = entries.slice(at, at + ROWS_PER_STATEMENT);
    const rows = some.map((entry) => {
      const { name, folded_name, plain_name, sort_name } = toNameColumns(entry.name);
      const kind = entry.isDirectory ? null : toTypeColumns(entry.contentType).kind;
      return sql`(${entry.driveId}, ${entry.parentId}, ${name}, ${folded_name}, ${plain_name}, ${sort_name},
        ${entry.isDirectory ? 1 : 0}, ${entry.blobId}, ${entry.size}, ${entry.contentType}, ${kind}, ${entry.childCount},
        ${now}, ${now}, ${entry.modifiedAt ?? now}, ${entry.changedBy})`;
    });
    const inserted = await sql<{ id: number; parent_id: number; name: string }>`
      insert into entry (drive_id, parent_id, name, folded_name, plain_name, sort_name, is_directory, blob_id, size,
        content_type, kind, child_count, created_at, updated_at, modified_at, changed_by)
      values ${sql.join(rows)} returning id, parent_id, name`.execute(tx);
    // No engine guarantees the order of returned rows.
    const idOf = new Map(inserted.rows.map((row) => [`${row.parent_id}/${row.name}`, row.id]));
    for (const { parentId, name } of some) {
      const id = idOf.get(`${parentId}/${name}`);
      if (id === undefined) throw new Error('An entry was inserted and has no id.');
      ids.push(id);
    }
  }
  return ids;
}
