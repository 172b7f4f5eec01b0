import type { Accounts, UploadLimit } from '../accounts/accounts.ts';
import { Failure } from '../base/failure.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database } from '../database/database.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { UploadTickets } from '../tickets/tickets.ts';
import type { Actor, PlacedEntry } from './entry.ts';
import type { FilePlace, Intake } from './intake.ts';

const OVER_ANNOUNCED =
  'There is not enough storage space left for this and what else has been announced but not completed.';

/**
 * The legacy way to upload in steps: `initiate` gives out an opaque key, the bytes go to the address that comes with
 * it, `complete` makes a file of them. A key works once, and for the one who asked for it.
 */
export class AnnouncedUploads {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #store: ObjectStore;
  readonly #tickets: UploadTickets;
  readonly #intake: Intake;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    blobs: Blobs;
    store: ObjectStore;
    tickets: UploadTickets;
    intake: Intake;
  }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#store = parts.store;
    this.#tickets = parts.tickets;
    this.#intake = parts.intake;
  }

  /**
   * Gives out a key for a file of that many bytes. All that an owner has announced must fit the quota together: the
   * bytes take room from when they are sent, and are charged only when they are completed.
   *
   * @throws Failure `over-limit` when the owner could not upload it now
   */
  async initiate(ownerId: number, file: { size: number; contentType: string }): Promise<string> {
    const limit = await this.#intake.getLimit(ownerId);
    if (file.size > limit.maxBytes) throw new Failure('over-limit', limit.message);
    const key = this.#blobs.newKey();
    await this.#accounts.changeDrive(ownerId, 0, async (tx) => {
      const freeBytes = await this.#accounts.getFreeBytes(tx, ownerId);
      const announced = await this.#tickets.sumAnnounced(tx, ownerId, 'FILE');
      if (file.size > 0 && announced + file.size > freeBytes) throw new Failure('over-limit', OVER_ANNOUNCED);
      await this.#tickets.open(tx, {
        key,
        ownerId,
        purpose: 'FILE',
        maxBytes: file.size,
        contentType: file.contentType,
      });
    });
    return key;
  }

  /**
   * As many bytes as were announced for a key.
   * @throws Failure `not-found` when the key is not this owner's, or spent
   */
  async getLimit(ownerId: number, key: string): Promise<UploadLimit> {
    const ticket = await this.#tickets.find(this.#database.db, key, ownerId, 'FILE');
    if (ticket === undefined) throw noSuchUpload();
    return { maxBytes: ticket.maxBytes, message: 'The file is larger than announced.' };
  }

  /**
   * Stores the bytes for a key; sent again they replace what was there. Each time they go to an object of their own,
   * so that a slow sender cannot change what was completed meanwhile.
   *
   * @param limit as {@link getLimit} gave it
   * @throws Failure `not-found` when the key has been spent meanwhile; `over-limit` for more than announced
   */
  async receive(
    ownerId: number,
    key: string,
    source: AsyncIterable<Uint8Array>,
    limit: UploadLimit,
  ): Promise<void> {
    const bytes = await this.#intake.store(source, limit);
    const marked = await this.#database.transact((tx) => this.#tickets.markStored(tx, key, ownerId, bytes));
    if (marked !== undefined) return this.#intake.discard(marked.replacedKey);
    await this.#intake.discard(bytes.objectKey);
    throw noSuchUpload();
  }

  /**
   * Makes a file of the bytes that were stored for a key, and spends the key. Refused, both stay for another try.
   * @throws Failure `not-found`; `rejected` before the bytes have come; `conflict` when the name is taken; `over-limit`
   */
  complete(actor: Actor, key: string, place: FilePlace): Promise<PlacedEntry> {
    return this.#accounts.changeDrive(actor.ownerId, 0, async (tx) => {
      const ticket = await this.#tickets.take(tx, key, actor.ownerId, 'FILE');
      if (ticket === undefined) throw noSuchUpload();
      const { storedKey, size, sha256, crc32 } = ticket;
      if (storedKey === null || size === null || sha256 === null || crc32 === null) {
        throw new Failure('rejected', 'The bytes of this upload have not come yet.');
      }
      await this.#accounts.chargeBytes(tx, actor.ownerId, size);
      return this.#intake.recordFile(tx, actor, { objectKey: storedKey, size, sha256, crc32 }, place);
    });
  }

  /** Forgets what was announced and never completed, with the bytes. */
  async removeExpired(): Promise<void> {
    const keys = await this.#database.transact((tx) => this.#tickets.removeExpired(tx));
    await this.#store.remove(keys);
  }
}

function noSuchUpload(): Failure {
  return new Failure('not-found', 'There is no such upload.');
}
