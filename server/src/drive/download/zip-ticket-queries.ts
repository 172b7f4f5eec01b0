import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { ZipTicketTable } from '../../database/tables/zip-tickets.ts';

export type NewZipTicket = Omit<ZipTicketTable, 'is_started'>;

/** Adds a ticket. Deletes the owner's tickets that expire first, if there are too many. */
export async function insertZipTicket(tx: Tx, ticket: NewZipTicket, maxTickets: number): Promise<void> {
  await tx
    .insertInto('zip_ticket')
    .values({ ...ticket, is_started: 0 })
    .execute();
  await sql`
    delete from zip_ticket where owner_id = ${ticket.owner_id} and token_hash in (
      select token_hash from zip_ticket where owner_id = ${ticket.owner_id}
      order by expires_at desc, token_hash limit ${2 * maxTickets} offset ${maxTickets}
    )`.execute(tx);
}

/** The ticket with that token, if it has not expired and its owner is not banned. */
export function findZipTicket(db: Db, tokenHash: string, now: Instant): Promise<ZipTicketTable | undefined> {
  return db
    .selectFrom('zip_ticket')
    .innerJoin('account', 'account.id', 'zip_ticket.owner_id')
    .selectAll('zip_ticket')
    .where('zip_ticket.token_hash', '=', tokenHash)
    .where('zip_ticket.expires_at', '>', now)
    .where('account.banned', '=', 0)
    .executeTakeFirst();
}

/** Sets until when a download can be resumed. Does nothing if it has begun already, or the ticket has expired. */
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
