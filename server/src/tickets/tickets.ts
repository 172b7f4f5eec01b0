import type { Clock, Instant } from '../base/clock.ts';
import type { Db, Tx } from '../database/database.ts';
import type { TicketPurpose } from '../database/schema.ts';
import {
  deleteExpiredTickets,
  deleteTicket,
  findClaimedKeys,
  findTicket,
  insertTicket,
  type StoredBytes,
  setStored,
  type Ticket,
} from './queries.ts';

export interface NewTicket {
  /** Names the upload to its client; an object key of its own. */
  readonly key: string;
  readonly ownerId: number;
  readonly purpose: TicketPurpose;
  readonly maxBytes: number;
  readonly contentType: string | null;
}

/**
 * Announced uploads: a key that `initiate` gave out, under which its owner may store bytes, until `complete` takes it.
 *
 * Whoever can store twice under one ticket should write each time to an object of its own and name it as
 * `objectKey`: a write that is still under way when the ticket is taken then cannot replace what was taken.
 */
export class UploadTickets {
  readonly #clock: Clock;
  readonly #ttlMs: number;

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  open(tx: Tx, ticket: NewTicket): Promise<void> {
    const now = this.#clock.now();
    return insertTicket(tx, { ...ticket, createdAt: now, expiresAt: now + this.#ttlMs });
  }

  /** The owner's own ticket, unexpired and not taken. */
  find(db: Db, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    return findTicket(db, { key, ownerId, purpose }, this.#clock.now());
  }

  /** Records that the bytes lie in the store. False when there is no such ticket (any more). */
  markStored(tx: Tx, key: string, ownerId: number, stored: StoredBytes): Promise<boolean> {
    return setStored(tx, key, ownerId, stored, this.#clock.now());
  }

  /** Spends the ticket: of any number who try, one gets it. Only its owner, and only in time. */
  take(tx: Tx, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    return deleteTicket(tx, { key, ownerId, purpose }, this.#clock.now());
  }

  /** Of these object keys, those that a ticket still stands for. */
  findClaimedKeys(db: Db, keys: readonly string[]): Promise<readonly string[]> {
    return findClaimedKeys(db, keys);
  }

  /** Forgets tickets that ran out before; gives the keys under which bytes of theirs may lie. */
  removeExpired(tx: Tx, before: Instant): Promise<readonly string[]> {
    return deleteExpiredTickets(tx, before);
  }
}
