import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AccountInDrive, AccountInDrives } from '../../base/domain/drives.ts';
import { offsetOf, type PageRequest } from '../../base/page.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, toEntry } from '../entries/entry-queries.ts';

/** Whether the account has marked the entry with a star. */
export async function hasStar(db: Db, entryId: number, accountId: number): Promise<boolean> {
  const row = await db
    .selectFrom('star')
    .select('entry_id')
    .where('entry_id', '=', entryId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * The caller has checked that there is no such star, and has locked the drive. Returns false if the account has
 * too many in a shared drive.
 */
export async function insertStar(
  tx: Tx,
  { id, driveId }: Entry,
  { accountId, maxStars }: { readonly accountId: number; readonly maxStars: number },
  now: Instant,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into star (entry_id, account_id, drive_id, starred_at)
    select cast(${id} as bigint), cast(${accountId} as bigint), drive.id, cast(${now} as bigint)
    from drive where drive.id = ${driveId} and (drive.kind = 'PERSONAL' or (
      select count(*) from star as other where other.account_id = ${accountId} and other.drive_id = ${driveId}
    ) < ${maxStars})`.execute(tx);
  if (numAffectedRows !== 1n) return false;
  await tx.updateTable('entry').set({ is_starred: 1 }).where('id', '=', id).execute();
  return true;
}

/**
 * Deletes the stars of an account in shared drives. Their entries stay marked as ones that anyone may have
 * starred.
 */
export async function deleteStarsOf(tx: Tx, { accountId, driveIds }: AccountInDrives): Promise<void> {
  if (driveIds.length === 0) return;
  await tx.deleteFrom('star').where('account_id', '=', accountId).where('drive_id', 'in', driveIds).execute();
}

export async function deleteStar(tx: Tx, { id }: Entry, accountId: number): Promise<void> {
  await tx.deleteFrom('star').where('entry_id', '=', id).where('account_id', '=', accountId).execute();
  await tx
    .updateTable('entry')
    .set({ is_starred: 0 })
    .where('id', '=', id)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('star').select('star.entry_id').whereRef('star.entry_id', '=', 'entry.id'),
        ),
      ),
    )
    .execute();
}

/** The stars of an account in a drive, the newest first. */
export async function findStarredPage(
  db: Db,
  { driveId, accountId }: AccountInDrive,
  page: PageRequest,
): Promise<{ readonly entries: readonly Entry[]; readonly total: number }> {
  const starred = db
    .selectFrom('star')
    .innerJoin('entry', 'entry.id', 'star.entry_id')
    .where('star.account_id', '=', accountId)
    .where('star.drive_id', '=', driveId)
    .where('entry.deleted_at', 'is', null);
  const { total } = await starred
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await starred
    .select(ENTRY_COLUMNS)
    .orderBy('star.starred_at', 'desc')
    .orderBy('star.entry_id', 'desc')
    .limit(page.size)
    .offset(offsetOf(page))
    .execute();
  return { entries: rows.map(toEntry), total };
}
