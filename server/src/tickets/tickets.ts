import type { Clock } from '../base/clock.ts';
import type { TicketPurpose } from '../base/domain/uploads.ts';
import type { ObjectClaims } from '../blobs/blobs.ts';
import type { Db, Tx } from '../database/database.ts';
import type { ObjectLocation, StoredBytes } from '../policies/policies.ts';
import {
  deleteExpiredTickets,
  deleteOldTickets,
  deleteTicket,
  findClaimedKeys,
  findOldestCreation,
  findTicket,
  insertTicket,
  setStored,
  type Ticket,
} from './queries.ts';

/** How keys look; a name that a caller sent and that no ticket can have is not worth a query. */
const KEY = /^[\w./-]{1,200}$/;

export interface NewTicket {
  /** Names the upload to its client. */
  readonly key: string;
  readonly ownerId: number;
  readonly purpose: TicketPurpose;
  readonly maxBytes: number;
  readonly contentType: string | null;
}

/**
 * Announced uploads: a key that `initiate` gave out, for which its owner may store bytes, until `complete` takes it.
 *
 * Bytes may be sent again, so each time they go to an object of their own: a write that is still under way when the
 * ticket is taken cannot replace what was taken.
 */
export class UploadTickets {
  readonly #clock: Clock;
  readonly #ttlMs: number;

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  create(tx: Tx, ticket: NewTicket): Promise<void> {
    const now = this.#clock.now();
    return insertTicket(tx, { ...ticket, createdAt: now, expiresAt: now + this.#ttlMs });
  }

  /** The owner's own ticket, unexpired and not taken. */
  async find(db: Db, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    if (!KEY.test(key)) return undefined;
    return findTicket(db, { key, ownerId, purpose }, this.#clock.now());
  }

  /**
   * Forgets the oldest of the owner's tickets beyond that many. Gives where bytes of theirs lie, to be removed once the
   * transaction is committed.
   */
  deleteOldest(
    tx: Tx,
    ownerId: number,
    purpose: TicketPurpose,
    keep: number,
  ): Promise<readonly ObjectLocation[]> {
    return deleteOldTickets(tx, ownerId, purpose, keep);
  }

  /**
   * Records that the bytes lie in the store. Gives where those lie that they replace, to be removed once the transaction
   * is committed; undefined when there is no such ticket (any more).
   */
  recordStored(
    tx: Tx,
    key: string,
    ownerId: number,
    stored: StoredBytes,
  ): Promise<readonly ObjectLocation[] | undefined> {
    return setStored(tx, key, ownerId, stored, this.#clock.now());
  }

  /** Spends the ticket: of any number who try, one gets it. Only its owner, and only in time. */
  async redeem(tx: Tx, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    if (!KEY.test(key)) return undefined;
    return deleteTicket(tx, { key, ownerId, purpose }, this.#clock.now());
  }

  /** Forgets tickets that have run out; gives where bytes of theirs lie. */
  deleteExpired(tx: Tx): Promise<readonly ObjectLocation[]> {
    return deleteExpiredTickets(tx, this.#clock.now());
  }
}

/** The claims of tickets that were not redeemed: until then no blob refers to the bytes that were stored for a ticket. */
export const ticketClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };
