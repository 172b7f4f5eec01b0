import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { FolderLinkMode } from '../../base/domain/folder-links.ts';
import type { ShareKind } from '../../base/domain/shares.ts';
import type { PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { findMatchingIds } from '../lists/matching-queries.ts';
import { driveIdsMatching } from '../lists/owner-queries.ts';
import type { ShareFilter } from './share-filter.ts';

const SLICE_IDS = 10_000;

export interface ShareRow {
  readonly id: number;
  readonly kind: ShareKind;
  readonly token: string;
  readonly share_name: string | null;
  readonly is_protected: Flag;
  readonly allow_import: Flag;
  readonly allow_download: Flag;
  readonly max_downloads: number | null;
  readonly download_count: number;
  readonly view_count: number;
  readonly expires_at: Instant | null;
  readonly created_at: Instant;
  readonly entry_id: number;
  readonly drive_id: number;
}

/** Shares of both kinds are in one table. */
type LinkTable = 'share' | 'folder_link';

/** A page of ids of links to live entries, newest first, and how many links match. */
export async function findLinkIds(
  db: Db,
  table: LinkTable,
  filter: ShareFilter,
  page: PageRequest,
  now: Instant,
): Promise<{ ids: readonly number[]; total: number }> {
  return await findMatchingIds(
    db,
    {
      table,
      join: sql`join entry on entry.id = listed.entry_id`,
      conditions: toConditions(filter, now),
      sliceIds: SLICE_IDS,
    },
    page,
  );
}

export async function findShares(db: Db, ids: readonly number[]): Promise<readonly ShareRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShareRow>`
    select id, kind, token, share_name, case when password_hash is null then 0 else 1 end as is_protected, allow_import,
      allow_download, max_downloads, download_count, view_count, expires_at, created_at, entry_id, drive_id
    from share where id in (${sql.join(ids)})`.execute(db);
  return rows;
}

function toConditions({ userQuery, fileName, token, passwordProtected, expired }: ShareFilter, now: Instant) {
  const conditions = [sql`entry.deleted_at is null`];
  if (userQuery !== undefined) conditions.push(sql`listed.drive_id in ${driveIdsMatching(userQuery)}`);
  if (fileName !== undefined) conditions.push(sql`${containsText('entry.folded_name', fileName)}`);
  // Tokens are ASCII, which both engines convert to lower case alike.
  if (token !== undefined) conditions.push(sql`${containsText(sql`lower(listed.token)`, token)}`);
  if (passwordProtected !== undefined) {
    conditions.push(passwordProtected ? sql`password_hash is not null` : sql`password_hash is null`);
  }
  if (expired !== undefined) {
    conditions.push(expired ? sql`expires_at <= ${now}` : sql`(expires_at is null or expires_at > ${now})`);
  }
  return conditions;
}

export interface FolderLinkRow {
  readonly id: number;
  readonly token: string;
  readonly drive_id: number;
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
    select folder_link.id, token, folder_link.drive_id, entry_id, mode, title, note, expires_at, max_files, max_bytes,
      received_files, received_bytes, folder_link.created_at,
      case when entry.parent_id is null then 1 else 0 end as is_root,
      case when password_hash is null then 0 else 1 end as is_protected
    from folder_link join entry on entry.id = folder_link.entry_id
    where folder_link.id in (${sql.join(ids)})`.execute(db);
  return rows;
}
