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

/** The form of a ticket's key. Anything else that a client sends cannot be a key and costs no query. */
const KEY = /^[\w./-]{1,200}$/;

export interface NewTicket {
  /** Identifies the upload to its client. */
  readonly key: string;
  readonly ownerId: number;
  readonly purpose: TicketPurpose;
  readonly maxBytes: number;
  readonly contentType: string | null;
}

/**
 * Announced uploads. `initiate` creates a ticket with a key, its owner may store bytes for it, and `complete`
 * redeems it.
 *
 * Bytes may be sent more than once, and each time they are stored as a new object: a write that is still
 * running when the ticket is redeemed cannot replace the redeemed bytes.
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

  /** Finds an unexpired ticket of the owner that was not redeemed. */
  async find(db: Db, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    if (!KEY.test(key)) return undefined;
    return findTicket(db, { key, ownerId, purpose }, this.#clock.now());
  }

  /**
   * Deletes the owner's oldest tickets except for the newest `keep`. Returns the locations of their bytes,
   * which the caller removes after the commit.
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
   * Records that the bytes are stored. Returns the locations of the bytes that they replace, which the caller
   * removes after the commit; undefined when there is no such ticket, or no longer.
   */
  recordStored(
    tx: Tx,
    key: string,
    ownerId: number,
    stored: StoredBytes,
  ): Promise<readonly ObjectLocation[] | undefined> {
    return setStored(tx, key, ownerId, stored, this.#clock.now());
  }

  /** Deletes and returns an unexpired ticket of the owner. Of several concurrent callers one gets it. */
  async redeem(tx: Tx, key: string, ownerId: number, purpose: TicketPurpose): Promise<Ticket | undefined> {
    if (!KEY.test(key)) return undefined;
    return deleteTicket(tx, { key, ownerId, purpose }, this.#clock.now());
  }

  /**
   * Deletes expired tickets. Returns the locations of their bytes, which the caller removes after the commit.
   */
  deleteExpired(tx: Tx): Promise<readonly ObjectLocation[]> {
    return deleteExpiredTickets(tx, this.#clock.now());
  }
}

/**
 * The claims of tickets that were not redeemed: until then no blob refers to the bytes that were stored for a
 * ticket.
 */
export const ticketClaims: ObjectClaims = { findClaimedKeys, findOldest: findOldestCreation };
