import { sql } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { ClientType } from '../../base/domain/accounts.ts';
import type { Db, Tx } from '../../database/database.ts';

/** A transfer that is offered to a device, as the device sees it. */
export interface StoredOffer {
  readonly sessionId: string;
  readonly pickupCode: string;
  readonly isEncrypted: boolean;
  readonly expiresAt: Instant;
  readonly fileCount: number;
  readonly totalBytes: number;
  /** The client of the offering login session; null if that session has ended. */
  readonly client: ClientType | null;
  readonly userAgent: string | null;
}

interface NewOffer {
  readonly transferId: string;
  readonly accountId: number;
  /** The login session that sends. */
  readonly from: string;
  /** The login session that is asked. */
  readonly to: string;
}

/**
 * Offers a waiting ONLINE session to another present login session of its owner. A later offer replaces an
 * earlier one.
 * @returns false if the transfer cannot be offered, or the other device is not present
 */
export async function setOffer(tx: Tx, offer: NewOffer, now: Instant): Promise<boolean> {
  const { transferId, accountId, from, to } = offer;
  const { numAffectedRows } = await sql`
    update transfer_session set offered_to = ${to}, offered_by = ${from}
    where id = ${transferId} and account_id = ${accountId} and mode = 'ONLINE' and status = 'WAITING'
      and expires_at > ${now} and exists (
        select 1 from session
        where id = ${to} and id <> ${from} and account_id = ${accountId} and present_until > ${now}
      )`.execute(tx);
  return numAffectedRows === 1n;
}

/** Removes the offer to the login session. Only one of several concurrent calls returns true. */
export async function clearOffer(
  tx: Tx,
  { transferId, to }: Pick<NewOffer, 'transferId' | 'to'>,
  now: Instant,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update transfer_session set offered_to = null, offered_by = null
    where id = ${transferId} and offered_to = ${to} and status = 'WAITING' and expires_at > ${now}`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** The unanswered offers to a login session, newest first. */
export async function findOffers(
  db: Db,
  sessionId: string,
  now: Instant,
  limit: number,
): Promise<readonly StoredOffer[]> {
  const { rows } = await sql<Omit<StoredOffer, 'isEncrypted'> & { salt: string | null }>`
    select offered.id as "sessionId", offered.pickup_code as "pickupCode", offered.salt as salt,
      offered.expires_at as "expiresAt", sender.client as client, sender.user_agent as "userAgent",
      (select count(*) from transfer_file where session_id = offered.id) as "fileCount",
      (select cast(coalesce(sum(size), 0) as bigint) from transfer_file where session_id = offered.id)
        as "totalBytes"
    from transfer_session as offered left join session as sender on sender.id = offered.offered_by
    where offered.offered_to = ${sessionId} and offered.status = 'WAITING' and offered.expires_at > ${now}
    order by offered.created_at desc, offered.id limit ${limit}`.execute(db);
  return rows.map(({ salt, ...offer }) => ({ ...offer, isEncrypted: salt !== null }));
}
