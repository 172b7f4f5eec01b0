import { type Selectable, sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { AccountInDrives } from '../../base/domain/drives.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { ZipTicketTable } from '../../database/tables/drive.ts';

export type ZipTicket = Selectable<ZipTicketTable>;
export type NewZipTicket = Omit<ZipTicket, 'is_started'>;

/**
 * Adds a ticket. If the account then has too many in the drive, or the folder link has, deletes the oldest, but
 * those of started downloads last. Visitors cannot displace tickets of accounts.
 */
export async function insertZipTicket(tx: Tx, ticket: NewZipTicket, maxTickets: number): Promise<void> {
  await tx
    .insertInto('zip_ticket')
    .values({ ...ticket, is_started: 0 })
    .execute();
  const isOfSameHolder = sql`drive_id = ${ticket.drive_id} and coalesce(folder_link_id, 0) = ${ticket.folder_link_id ?? 0}
    and coalesce(account_id, 0) = ${ticket.account_id ?? 0}`;
  await sql`
    delete from zip_ticket where drive_id = ${ticket.drive_id} and token_hash in (
      select token_hash from zip_ticket where ${isOfSameHolder} and token_hash <> ${ticket.token_hash}
      order by is_started desc, expires_at desc, token_hash
      limit ${2 * maxTickets} offset ${maxTickets - 1}
    )`.execute(tx);
}

/**
 * The ticket with that token, if it has not expired. The owner of a personal drive must not be banned. In a
 * shared drive, the account of the ticket must be a member that is not banned.
 * @param folderLinkId the folder link at which the ticket is used; null for a ticket of an account
 */
export function findZipTicket(
  db: Db,
  { tokenHash, folderLinkId }: { readonly tokenHash: string; readonly folderLinkId: number | null },
  now: Instant,
): Promise<ZipTicket | undefined> {
  return db
    .selectFrom('zip_ticket')
    .innerJoin('drive', 'drive.id', 'zip_ticket.drive_id')
    .leftJoin('account', 'account.id', 'drive.account_id')
    .selectAll('zip_ticket')
    .where('zip_ticket.token_hash', '=', tokenHash)
    .where('zip_ticket.folder_link_id', folderLinkId === null ? 'is' : '=', folderLinkId)
    .where('zip_ticket.expires_at', '>', now)
    .where('drive.deleted_at', 'is', null)
    .where((where) =>
      where.or([
        where('account.banned', '=', 0),
        where.and([where('drive.kind', '=', 'SHARED'), where('zip_ticket.account_id', 'is', null)]),
        where.exists(
          where
            .selectFrom('drive_member')
            .innerJoin('account as holder', 'holder.id', 'drive_member.account_id')
            .select('drive_member.role')
            .where('holder.banned', '=', 0)
            .whereRef('drive_member.drive_id', '=', 'zip_ticket.drive_id')
            .whereRef('drive_member.account_id', '=', 'zip_ticket.account_id'),
        ),
      ]),
    )
    .executeTakeFirst();
}

/** Deletes the tickets of an account in some drives. */
export async function deleteZipTickets(tx: Tx, { accountId, driveIds }: AccountInDrives): Promise<void> {
  await tx
    .deleteFrom('zip_ticket')
    .where('drive_id', 'in', driveIds)
    .where('account_id', '=', accountId)
    .execute();
}

/**
 * Sets the time until which a download can be resumed. Does nothing if it has begun already, or the ticket
 * has expired.
 */
export async function startZipTicket(
  tx: Tx,
  tokenHash: string,
  { now, until }: { now: Instant; until: Instant },
): Promise<void> {
  await tx
    .updateTable('zip_ticket')
    .set({ is_started: 1, expires_at: until })
    .where('token_hash', '=', tokenHash)
    .where('is_started', '=', 0)
    .where('expires_at', '>', now)
    .execute();
}
