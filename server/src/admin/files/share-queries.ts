import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { ShareKind } from '../../base/domain/shares.ts';
import type { PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import type { Flag } from '../../database/flag.ts';
import { findNewestFirst } from '../lists/newest-first.ts';
import { accountIdsMatching } from '../users/queries.ts';
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
  readonly owner_id: number;
}

/** Shares of both kinds are in one table. */
type LinkTable = 'share' | 'folder_link';

/** The ids of a page of the links to live entries, newest first, and how many match. */
export async function findLinkIds(
  db: Db,
  table: LinkTable,
  filter: ShareFilter,
  page: PageRequest,
  now: Instant,
): Promise<{ ids: readonly number[]; total: number }> {
  const last = await db.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  const conditions = sql.join(toConditions(filter, now), sql` and `);
  return await findNewestFirst(last?.id ?? 0, SLICE_IDS, page, async ({ above, upTo }) => {
    const { rows } = await sql<{ id: number }>`
      select link.id from ${sql.table(table)} as link join entry on entry.id = link.entry_id
      where link.id > ${above} and link.id <= ${upTo} and ${conditions}
      order by link.id desc`.execute(db);
    return rows.map(({ id }) => id);
  });
}

export async function findShares(db: Db, ids: readonly number[]): Promise<readonly ShareRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ShareRow>`
    select id, kind, token, share_name, case when password_hash is null then 0 else 1 end as is_protected, allow_import,
      allow_download, max_downloads, download_count, view_count, expires_at, created_at, entry_id, owner_id
    from share where id in (${sql.join(ids)})`.execute(db);
  return rows;
}

function toConditions({ userQuery, fileName, token, passwordProtected, expired }: ShareFilter, now: Instant) {
  const conditions = [sql`entry.deleted_at is null`];
  if (userQuery !== undefined) conditions.push(sql`link.owner_id in ${accountIdsMatching(userQuery)}`);
  if (fileName !== undefined) conditions.push(sql`${containsText('entry.folded_name', fileName)}`);
  // Tokens are ASCII, which both engines convert to lower case alike.
  if (token !== undefined) conditions.push(sql`${containsText(sql`lower(link.token)`, token)}`);
  if (passwordProtected !== undefined) {
    conditions.push(passwordProtected ? sql`password_hash is not null` : sql`password_hash is null`);
  }
  if (expired !== undefined) {
    conditions.push(expired ? sql`expires_at <= ${now}` : sql`(expires_at is null or expires_at > ${now})`);
  }
  return conditions;
}
