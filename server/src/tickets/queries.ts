import { sql } from 'kysely';
import type { ByteDigest } from '../base/byte-streams.ts';
import type { Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { TicketPurpose } from '../database/schema.ts';

export interface TicketName {
  readonly key: string;
  readonly ownerId: number;
  readonly purpose: TicketPurpose;
}

export interface Ticket {
  readonly key: string;
  readonly maxBytes: number;
  readonly contentType: string | null;
  /** Where the bytes lie; null before they do. */
  readonly storedKey: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly crc32: number | null;
}

export interface StoredBytes extends ByteDigest {
  readonly objectKey: string;
}

const COLUMNS = [
  'object_key as key',
  'max_bytes as maxBytes',
  'content_type as contentType',
  'stored_key as storedKey',
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
      owner_id: ticket.ownerId,
      purpose: ticket.purpose,
      max_bytes: ticket.maxBytes,
      content_type: ticket.contentType,
      created_at: ticket.createdAt,
      expires_at: ticket.expiresAt,
    })
    .execute();
}

export async function findTicket(db: Db, name: TicketName, now: Instant): Promise<Ticket | undefined> {
  return db
    .selectFrom('upload_ticket')
    .select(COLUMNS)
    .where('object_key', '=', name.key)
    .where('owner_id', '=', name.ownerId)
    .where('purpose', '=', name.purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Gives the key of the bytes before, which may be null; undefined when there is no such ticket. */
export async function setStored(
  tx: Tx,
  key: string,
  ownerId: number,
  stored: StoredBytes,
  now: Instant,
): Promise<{ replacedKey: string | null } | undefined> {
  // Changes nothing but holds the row, so that of two who store at once each replaces what is there by then.
  const before = await tx
    .updateTable('upload_ticket')
    .set((set) => ({ stored_key: set.ref('stored_key') }))
    .where('object_key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('expires_at', '>', now)
    .returning('stored_key as replacedKey')
    .executeTakeFirst();
  if (before === undefined) return undefined;
  await tx
    .updateTable('upload_ticket')
    .set({
      stored_key: stored.objectKey,
      size: stored.size,
      sha256: stored.sha256,
      crc32: stored.crc32,
    })
    .where('object_key', '=', key)
    .execute();
  return before;
}

/** How many bytes the open tickets of an owner announce. */
export async function sumAnnounced(
  tx: Tx,
  ownerId: number,
  purpose: TicketPurpose,
  now: Instant,
): Promise<number> {
  const row = await tx
    .selectFrom('upload_ticket')
    .select(sql<number>`cast(coalesce(sum(max_bytes), 0) as bigint)`.as('bytes'))
    .where('owner_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return row.bytes;
}

/** Deletes all tickets but the newest; gives the keys under which bytes of theirs may lie. */
export async function deleteOldTickets(
  tx: Tx,
  ownerId: number,
  purpose: TicketPurpose,
  keep: number,
): Promise<readonly string[]> {
  const old = await tx
    .selectFrom('upload_ticket')
    .select('object_key')
    .where('owner_id', '=', ownerId)
    .where('purpose', '=', purpose)
    .orderBy('created_at', 'desc')
    .orderBy('object_key', 'desc')
    // SQLite knows no offset without a limit; what is beyond this limit goes the next time.
    .limit(1_000)
    .offset(keep)
    .execute();
  if (old.length === 0) return [];
  const keys = old.map((row) => row.object_key);
  const rows = await tx
    .deleteFrom('upload_ticket')
    .where('object_key', 'in', keys)
    .returning(['object_key', 'stored_key'])
    .execute();
  return rows.map((row) => row.stored_key ?? row.object_key);
}

export async function deleteTicket(tx: Tx, name: TicketName, now: Instant): Promise<Ticket | undefined> {
  return tx
    .deleteFrom('upload_ticket')
    .where('object_key', '=', name.key)
    .where('owner_id', '=', name.ownerId)
    .where('purpose', '=', name.purpose)
    .where('expires_at', '>', now)
    .returning(COLUMNS)
    .executeTakeFirst();
}

export async function findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const rows = await db
    .selectFrom('upload_ticket')
    .select(['object_key', 'stored_key'])
    .where((where) => where.or([where('object_key', 'in', keys), where('stored_key', 'in', keys)]))
    .execute();
  return rows.flatMap((row) =>
    row.stored_key === null ? [row.object_key] : [row.object_key, row.stored_key],
  );
}

/** When the oldest ticket was given out, also of those that have run out and are still known. */
export async function findOldestCreation(db: Db): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('upload_ticket')
    .select((select) => select.fn.min('created_at').as('oldest'))
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}

export async function deleteExpiredTickets(tx: Tx, before: Instant): Promise<readonly string[]> {
  const rows = await tx
    .deleteFrom('upload_ticket')
    .where('expires_at', '<=', before)
    .returning(['object_key', 'stored_key'])
    .execute();
  return rows.map((row) => row.stored_key ?? row.object_key);
}
