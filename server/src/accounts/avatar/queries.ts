import type { Selectable } from 'kysely';
import type { Instant } from '../../base/clock.ts';
import type { ObjectClaims } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { UploadTicketTable } from '../../database/tables/uploads.ts';
import type { ObjectLocation, StoredBytes } from '../../policies/policies.ts';

/**
 * An announced picture. `initiate` creates a ticket with a key, its owner may store bytes for it, and
 * `complete` redeems it.
 *
 * Bytes may be sent more than once, and each time they are stored as a new object: a write that is still
 * running when the ticket is redeemed cannot replace the redeemed bytes.
 */
export interface Ticket {
  /** Identifies the upload to its client. */
  readonly key: string;
  readonly maxBytes: number;
  readonly contentType: string | null;
  /** Null until bytes are stored. */
  readonly stored: StoredBytes | null;
}

/** What identifies a ticket; a request must name both. */
interface TicketName {
  readonly key: string;
  readonly accountId: number;
}

/** The form of a ticket's key. Anything else that a client sends cannot be a key and costs no query. */
const KEY = /^[\w./-]{1,200}$/;

const COLUMNS = [
  'object_key',
  'max_bytes',
  'content_type',
  'stored_key',
  'stored_policy_id',
  'size',
  'sha256',
  'crc32',
] as const;

export async function insertTicket(
  tx: Tx,
  ticket: TicketName & {
    maxBytes: number;
    contentType: string | null;
    createdAt: Instant;
    expiresAt: Instant;
  },
): Promise<void> {
  await tx
    .insertInto('upload_ticket')
    .values({
      object_key: ticket.key,
      account_id: ticket.accountId,
      max_bytes: ticket.maxBytes,
      content_type: ticket.contentType,
      created_at: ticket.createdAt,
      expires_at: ticket.expiresAt,
    })
    .execute();
}

/** Finds an unexpired ticket of the owner that was not redeemed. */
export async function findTicket(db: Db, name: TicketName, now: Instant): Promise<Ticket | undefined> {
  if (!KEY.test(name.key)) return undefined;
  const row = await db
    .selectFrom('upload_ticket')
    .select(COLUMNS)
    .where('object_key', '=', name.key)
    .where('account_id', '=', name.accountId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && toTicket(row);
}

/**
 * Records that the bytes of a ticket are stored. Returns the locations of the bytes that they replace, which
 * the caller removes after the commit; undefined when the ticket does not exist, or no longer does.
 */
export async function recordStored(
  tx: Tx,
  { key, accountId }: TicketName,
  stored: StoredBytes,
  now: Instant,
): Promise<readonly ObjectLocation[] | undefined> {
  // Locks the row without changing it, so that of two concurrent calls the second sees the bytes of the
  // first.
  const before = await tx
    .updateTable('upload_ticket')
    .set((set) => ({ stored_key: set.ref('stored_key') }))
    .where('object_key', '=', key)
    .where('account_id', '=', accountId)
    .where('expires_at', '>', now)
    .returning(['stored_key', 'stored_policy_id'])
    .executeTakeFirst();
  if (before === undefined) return undefined;
  await tx
    .updateTable('upload_ticket')
    .set({
      stored_key: stored.objectKey,
      stored_policy_id: stored.policyId,
      size: stored.size,
      sha256: stored.sha256,
      crc32: stored.crc32,
    })
    .where('object_key', '=', key)
    .execute();
  return locationsOf([before]);
}

/**
 * Deletes all of the owner's tickets except the newest `keep`. Returns the locations of their bytes, which
 * the caller removes after the commit.
 */
export async function deleteOldTickets(
  tx: Tx,
  accountId: number,
  keep: number,
): Promise<readonly ObjectLocation[]> {
  const old = await tx
    .selectFrom('upload_ticket')
    .select('object_key')
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('object_key', 'desc')
    // SQLite has no offset without a limit. Tickets beyond this limit are deleted the next time.
    .limit(1_000)
    .offset(keep)
    .execute();
  if (old.length === 0) return [];
  const keys = old.map((row) => row.object_key);
  const rows = await tx
    .deleteFrom('upload_ticket')
    .where('object_key', 'in', keys)
    .returning(['stored_key', 'stored_policy_id'])
    .execute();
  return locationsOf(rows);
}

/**
 * Redeems an unexpired ticket of the owner, which deletes it. Only one of several concurrent callers gets it.
 */
export async function redeemTicket(tx: Tx, name: TicketName, now: Instant): Promise<Ticket | undefined> {
  if (!KEY.test(name.key)) return undefined;
  const row = await tx
    .deleteFrom('upload_ticket')
    .where('object_key', '=', name.key)
    .where('account_id', '=', name.accountId)
    .where('expires_at', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toTicket(row);
}

/**
 * Claims the stored bytes of unredeemed tickets, so that no sweep removes them: no blob refers to them yet.
 */
export const ticketClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };

async function findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('upload_ticket')
    .select('stored_key')
    .where('stored_key', 'in', keys)
    .execute();
  return rows.flatMap((row) => (row.stored_key === null ? [] : [row.stored_key]));
}

/** When the oldest ticket was created, expired tickets included. */
async function findOldestCreation(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('upload_ticket')
    .select((select) => select.fn.min('created_at').as('oldest'))
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}

/** Returns the locations of their bytes, which the caller removes after the commit. */
export async function deleteExpiredTickets(tx: Tx, before: Instant): Promise<readonly ObjectLocation[]> {
  const rows = await tx
    .deleteFrom('upload_ticket')
    .where('expires_at', '<=', before)
    .returning(['stored_key', 'stored_policy_id'])
    .execute();
  return locationsOf(rows);
}

type TicketRow = Pick<Selectable<UploadTicketTable>, (typeof COLUMNS)[number]>;

function toTicket(row: TicketRow): Ticket {
  const { stored_key: objectKey, stored_policy_id: policyId, size, sha256, crc32 } = row;
  const isStored = objectKey !== null && size !== null;
  return {
    key: row.object_key,
    maxBytes: row.max_bytes,
    contentType: row.content_type,
    stored: isStored ? { objectKey, policyId, size, sha256, crc32 } : null,
  };
}

function locationsOf(
  rows: readonly { stored_key: string | null; stored_policy_id: number }[],
): readonly ObjectLocation[] {
  return rows.flatMap(({ stored_key: objectKey, stored_policy_id: policyId }) =>
    objectKey === null ? [] : [{ objectKey, policyId }],
  );
}
