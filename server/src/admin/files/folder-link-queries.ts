import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FolderLinkMode } from '../../base/domain/folder-links.ts';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';

export interface FolderLinkRow {
  readonly id: number;
  readonly token: string;
  readonly owner_id: number;
  readonly entry_id: number;
  readonly is_root: Flag;
  readonly mode: FolderLinkMode;
  readonly title: string;
  readonly note: string | null;
  readonly is_protected: Flag;
  readonly expires_at: Instant | null;
  readonly max_files: number | null;
  readonly max_bytes: number | null;
  readonly received_files: number;
  readonly received_bytes: number;
  readonly created_at: Instant;
}

export async function findFolderLinks(db: Db, ids: readonly number[]): Promise<readonly FolderLinkRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<FolderLinkRow>`
    select folder_link.id, token, folder_link.owner_id, entry_id, mode, title, note, expires_at, max_files, max_bytes,
      received_files, received_bytes, folder_link.created_at,
      case when entry.parent_id is null then 1 else 0 end as is_root,
      case when password_hash is null then 0 else 1 end as is_protected
    from folder_link join entry on entry.id = folder_link.entry_id
    where folder_link.id in (${sql.join(ids)})`.execute(db);
  return rows;
}
