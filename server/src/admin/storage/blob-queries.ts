import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { BlobKind } from '../../base/domain/storage.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import { containsText } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import { findMatchingIds } from '../lists/matching-queries.ts';
import { accountIdsMatching, driveIdsMatching } from '../lists/owner-queries.ts';

const SLICE_IDS = 5_000;

export interface BlobFilter {
  /**
   * Folded part of the username, e-mail address or phone number of an account that uses or created the blob,
   * or of the name of a shared drive that uses it.
   */
  readonly userQuery: string | undefined;
  readonly policyId: number | undefined;
  /** Part of the object key, folded. */
  readonly objectKey: string | undefined;
  readonly kind: BlobKind | undefined;
}

/** A blob and the rows that refer to it, read at one moment. */
export interface BlobRow {
  readonly id: number;
  readonly object_key: string;
  readonly kind: BlobKind;
  readonly policy_id: number;
  readonly size: number;
  readonly content_type: string | null;
  readonly sha256: string | null;
  readonly reference_count: number;
  readonly unreferenced_at: Instant | null;
  readonly created_by: number;
  readonly created_at: Instant;
  /** The number of all rows that refer to it. */
  readonly links: number;
  readonly files: number;
  /** The number of accounts and shared drives that use it. */
  readonly owners: number;
  readonly sample_owner_id: number | null;
  /** A shared drive. */
  readonly sample_drive_id: number | null;
}

/**
 * A page of blob ids, newest first, and how many blobs match. Without a filter the total is undefined,
 * because counting would read the whole table.
 */
export async function findBlobIds(
  db: Db,
  filter: BlobFilter,
  page: PageRequest,
): Promise<{ ids: readonly number[]; total: number | undefined }> {
  const conditions = toConditions(filter);
  if (conditions.length === 0) return { ids: await findAllBlobIds(db, page), total: undefined };
  return await findMatchingIds(db, { table: 'blob', conditions, sliceIds: SLICE_IDS }, page);
}

async function findAllBlobIds(db: Db, page: PageRequest): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('blob')
    .select('id')
    .orderBy('id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return rows.map(({ id }) => id);
}

function toConditions({ userQuery, policyId, objectKey, kind }: BlobFilter) {
  const conditions = [];
  if (policyId !== undefined) conditions.push(sql`listed.policy_id = ${policyId}`);
  if (kind !== undefined) conditions.push(sql`listed.kind = ${kind}`);
  // Keys are ASCII, which both engines convert to lower case alike.
  if (objectKey !== undefined) conditions.push(containsText(sql`lower(listed.object_key)`, objectKey));
  if (userQuery !== undefined) {
    const accountIds = accountIdsMatching(userQuery);
    const driveIds = driveIdsMatching(userQuery);
    conditions.push(sql`(listed.created_by in ${accountIds}
      or exists (select 1 from entry where entry.blob_id = listed.id and entry.drive_id in ${driveIds})
      or exists (
        select 1 from file_version join entry on entry.id = file_version.entry_id
        where file_version.blob_id = listed.id and entry.drive_id in ${driveIds}
      )
      or exists (select 1 from account where account.avatar_blob_id = listed.id and account.id in ${accountIds})
      or exists (
        select 1 from transfer_file join transfer_session on transfer_session.id = transfer_file.session_id
        where transfer_file.blob_id = listed.id and transfer_session.account_id in ${accountIds}
      ))`);
  }
  return conditions;
}

/** How many rows refer to these blobs, by their reference counts. */
export async function sumReferences(db: Db, ids: readonly number[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ readonly links: number | null }>`
    select sum(reference_count) as links from blob where id in (${sql.join(ids)})`.execute(db);
  return Number(rows[0]?.links ?? 0);
}

/** Runs one statement, so that a reference count and the counted rows are read at the same moment. */
export async function findBlobs(db: Db, ids: readonly number[]): Promise<readonly BlobRow[]> {
  if (ids.length === 0) return [];
  const listed = sql.join(ids);
  const { rows } = await sql<BlobRow>`
    with link (blob_id, owner_id, shared_drive_id, is_file) as (
      select blob_id, drive.account_id, case when drive.kind = 'SHARED' then drive.id end, 1
      from entry join drive on drive.id = entry.drive_id
      where blob_id in (${listed})
      union all
      select file_version.blob_id, drive.account_id, case when drive.kind = 'SHARED' then drive.id end, 0
      from file_version join drive on drive.id = file_version.drive_id
      where file_version.blob_id in (${listed})
      union all
      select avatar_blob_id, id, null, 0 from account where avatar_blob_id in (${listed})
      union all
      select transfer_file.blob_id, transfer_session.account_id, null, 0
      from transfer_file join transfer_session on transfer_session.id = transfer_file.session_id
      where transfer_file.blob_id in (${listed})
      union all
      select blob_id, null, null, 0 from mobile_release where blob_id in (${listed})
    ),
    linked (blob_id, links, files, owners, sample_owner_id, sample_drive_id) as (
      select blob_id, count(*), cast(sum(is_file) as bigint),
        count(distinct owner_id) + count(distinct shared_drive_id), min(owner_id), min(shared_drive_id)
      from link group by blob_id
    )
    select blob.id, blob.object_key, blob.kind, blob.policy_id, blob.size, blob.content_type, blob.sha256,
      blob.reference_count, blob.unreferenced_at, blob.created_by, blob.created_at,
      coalesce(linked.links, 0) as links, coalesce(linked.files, 0) as files,
      coalesce(linked.owners, 0) as owners, linked.sample_owner_id, linked.sample_drive_id
    from blob left join linked on linked.blob_id = blob.id
    where blob.id in (${listed})`.execute(db);
  return rows;
}
