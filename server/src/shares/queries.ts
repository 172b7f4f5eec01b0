import { sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { offsetOf, type PageRequest } from '../base/page.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ShareKind } from '../database/schema.ts';
import type { Share } from './share.ts';

export interface NewShare {
  readonly kind: ShareKind;
  readonly token: string;
  readonly ownerId: number;
  readonly entryId: number;
  readonly shareName: string | null;
  readonly passwordHash: string | null;
  readonly expiresAt: Instant | null;
  readonly maxDownloads: number | null;
  readonly allowImport: boolean;
  readonly allowDownload: boolean;
}

/** Undefined when it is a legacy link and the record has one already. */
export async function insertShare(tx: Tx, share: NewShare, now: Instant): Promise<number | undefined> {
  const row = await tx
    .insertInto('share')
    .values({
      kind: share.kind,
      token: share.token,
      owner_id: share.ownerId,
      entry_id: share.entryId,
      share_name: share.shareName,
      password_hash: share.passwordHash,
      expires_at: share.expiresAt,
      max_downloads: share.maxDownloads,
      allow_import: share.allowImport ? 1 : 0,
      allow_download: share.allowDownload ? 1 : 0,
      download_count: 0,
      view_count: 0,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('entry_id').where(sql<boolean>`kind = 'LEGACY'`).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** The share of that token, as long as its entry is live. */
export async function findShare(db: Db, kind: ShareKind, token: string): Promise<Share | undefined> {
  const row = await selectShares(db, kind).where('share.token', '=', token).executeTakeFirst();
  return row && toShare(row);
}

export async function findShareById(db: Db, kind: ShareKind, id: number): Promise<Share | undefined> {
  const row = await selectShares(db, kind).where('share.id', '=', id).executeTakeFirst();
  return row && toShare(row);
}

/** The legacy link of a live entry. */
export async function findShareOfEntry(db: Db, entryId: number): Promise<Share | undefined> {
  const row = await selectShares(db, 'LEGACY').where('share.entry_id', '=', entryId).executeTakeFirst();
  return row && toShare(row);
}

/** An owner's shares of live entries, the newest first. */
export async function findSharesOf(
  db: Db,
  ownerId: number,
  page: PageRequest,
): Promise<{ items: readonly Share[]; total: number }> {
  const own = selectShares(db, 'V2').where('share.owner_id', '=', ownerId);
  const { total } = await db
    .selectFrom('share')
    .innerJoin('entry', 'entry.id', 'share.entry_id')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('share.kind', '=', 'V2')
    .where('share.owner_id', '=', ownerId)
    .where('entry.deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const rows = await own
    .orderBy('share.created_at', 'desc')
    .orderBy('share.id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { items: rows.map(toShare), total };
}

/** False when it is not the owner's. */
export async function deleteShare(tx: Tx, ownerId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('share')
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'V2')
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Gives how many that makes; undefined when the share is gone. */
export async function countView(tx: Tx, id: number, now: Instant): Promise<number | undefined> {
  const row = await tx
    .updateTable('share')
    .set({ view_count: sql`view_count + 1`, last_accessed_at: now })
    .where('id', '=', id)
    .returning('view_count')
    .executeTakeFirst();
  return row?.view_count;
}

/**
 * Takes one unit of the budget. Everything that can have changed since the share was looked at is asked for again in the
 * one statement: of any number who try at once as many succeed as there are units.
 */
export async function spendUnit(
  tx: Tx,
  id: number,
  use: 'import' | 'download',
  now: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('share')
    .set({ download_count: sql`download_count + 1`, last_accessed_at: now })
    .where('id', '=', id)
    .where(use === 'import' ? 'allow_import' : 'allow_download', '=', 1)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .where((where) =>
      where.or([
        where('max_downloads', 'is', null),
        where('download_count', '<', where.ref('max_downloads')),
      ]),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('entry')
          .select('entry.id')
          .whereRef('entry.id', '=', 'share.entry_id')
          .where('entry.deleted_at', 'is', null),
      ),
    )
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function selectShares(db: Db, kind: ShareKind) {
  return db
    .selectFrom('share')
    .innerJoin('account', 'account.id', 'share.owner_id')
    .innerJoin('entry', 'entry.id', 'share.entry_id')
    .leftJoin('blob', 'blob.id', 'entry.blob_id')
    .select([
      'share.id',
      'share.token',
      'share.owner_id',
      'account.username',
      'share.share_name',
      'share.password_hash',
      'share.expires_at',
      'share.max_downloads',
      'share.allow_import',
      'share.allow_download',
      'share.download_count',
      'share.view_count',
      'share.created_at',
      'entry.id as entry_id',
      'entry.parent_id',
      'entry.name',
      'entry.is_directory',
      'entry.blob_id',
      'entry.size',
      'entry.content_type',
      'entry.child_count',
      'entry.created_at as entry_created_at',
      'entry.updated_at as entry_updated_at',
      'blob.policy_id',
      'blob.object_key',
    ])
    .where('share.kind', '=', kind)
    .where('entry.deleted_at', 'is', null);
}

type ShareRow = Awaited<ReturnType<ReturnType<typeof selectShares>['executeTakeFirstOrThrow']>>;

function toShare(row: ShareRow): Share {
  const { policy_id: policyId, object_key: objectKey } = row;
  return {
    id: row.id,
    token: row.token,
    ownerId: row.owner_id,
    ownerUsername: row.username,
    shareName: row.share_name,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    maxDownloads: row.max_downloads,
    allowImport: row.allow_import === 1,
    allowDownload: row.allow_download === 1,
    downloadCount: row.download_count,
    viewCount: row.view_count,
    createdAt: row.created_at,
    place: policyId === null || objectKey === null ? null : { policyId, objectKey },
    entry: {
      id: row.entry_id,
      ownerId: row.owner_id,
      parentId: row.parent_id,
      name: row.name,
      isDirectory: row.is_directory === 1,
      blobId: row.blob_id,
      size: row.size,
      contentType: row.content_type,
      childCount: row.child_count,
      createdAt: row.entry_created_at,
      updatedAt: row.entry_updated_at,
    },
  };
}
