import { type Expression, sql } from 'kysely';
import type { Instant } from '../base/clock.ts';
import { foldName } from '../base/text/names/file-name.ts';
import type { Db, Tx } from '../database/database.ts';

/** The limits of a drive. */
export interface DriveLimits {
  readonly quotaBytes: number;
  readonly maxUploadBytes: number;
  readonly maxEntries: number;
}

/** Inserts the personal drive of a new account, without a root. Returns its id. */
export async function insertPersonalDrive(
  tx: Tx,
  accountId: number,
  { quotaBytes, maxUploadBytes, maxEntries }: DriveLimits,
  now: Instant,
): Promise<number> {
  const { id } = await tx
    .insertInto('drive')
    .values({
      ...{ kind: 'PERSONAL', account_id: accountId, name: null, created_at: now },
      ...{ quota_bytes: quotaBytes, max_upload_bytes: maxUploadBytes, max_entries: maxEntries },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The personal drive of an account; undefined if there is no such account. */
export async function findPersonalDrive(db: Db, accountId: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('drive')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row?.id;
}

/** All columns of a shared drive that depend on its name. Every statement that writes the name writes them. */
export function toDriveNameColumns(name: string): { readonly name: string; readonly folded_name: string } {
  return { name, folded_name: foldName(name) };
}

/** Deletes the row of a drive to which nothing refers any more. */
export async function deleteDrive(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('drive').where('id', '=', id).execute();
}

/**
 * An expression for the account that owns a drive; null for a shared drive.
 * @param driveId a value, or a column of a larger query
 */
export function ownerOf(driveId: Expression<number>) {
  return sql<number | null>`(select account_id from drive where drive.id = ${driveId})`;
}
