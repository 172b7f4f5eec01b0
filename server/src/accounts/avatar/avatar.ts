import { Readable } from 'node:stream';
import type { ByteRange } from '../../base/bytes/byte-range.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database } from '../../database/database.ts';
import { deleteRowsOf } from '../../database/owned-rows.ts';
import { RangedBytes } from '../../formats/ranged-bytes.ts';
import type { DownloadableFile } from '../../http/download/file-download.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { User } from '../contract.ts';
import { toUser } from '../profile.ts';
import { findAvatar, getAccount, lockAccount, setAvatar } from '../queries.ts';
import { checkPicture, findPictureType } from './picture.ts';
import {
  deleteExpiredTickets,
  deleteOldTickets,
  findTicket,
  insertTicket,
  recordStored,
  redeemTicket,
  type Ticket,
} from './queries.ts';

export const MAX_AVATAR_BYTES = 5 * 1024 ** 2;
export const AVATAR_TOO_LARGE = 'A profile picture must not be larger than 5 MiB.';

/** The maximum number of initiated, uncompleted uploads per owner. One more removes the oldest. */
const MAX_INITIATED = 10;

interface AvatarsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly blobs: Blobs;
  /** How long an initiated upload can be completed. */
  readonly uploadTtlMs: number;
}

/**
 * Profile pictures. An upload is initiated, stored, and becomes the picture once its bytes have been checked.
 */
export class Avatars {
  readonly #parts: AvatarsParts;

  constructor(parts: AvatarsParts) {
    this.#parts = parts;
  }

  /** Initiates an upload. Returns the storage name that the bytes are sent under. */
  initiate(accountId: number, picture: { contentType: string; size: number }): Promise<string> {
    const contentType = findPictureType(picture.contentType);
    if (contentType === undefined) {
      throw new Failure('invalid', 'contentType must be that of a picture, such as image/jpeg or image/png.');
    }
    if (picture.size > MAX_AVATAR_BYTES) throw new Failure('over-limit', AVATAR_TOO_LARGE);
    return this.#openTicket(accountId, contentType, picture.size);
  }

  /**
   * Stores the bytes of an initiated upload; without a `storageName`, initiates one first. May be repeated
   * until {@link complete}. Each call writes a new object, so bytes that were checked never change.
   *
   * @returns the storage name for {@link complete}
   */
  async store(
    accountId: number,
    bytes: Uint8Array,
    upload: { storageName: string | undefined; contentType: string | undefined },
  ): Promise<string> {
    const key =
      upload.storageName ??
      (await this.#openTicket(
        accountId,
        findPictureType(upload.contentType ?? '') ?? null,
        MAX_AVATAR_BYTES,
      ));
    const ticket = await this.#getTicket(accountId, key);
    if (bytes.byteLength > ticket.maxBytes) {
      throw new Failure('over-limit', 'The picture is larger than was announced.');
    }
    const stored = await this.#parts.blobs.write(Readable.from([bytes]));
    const marked = await this.#parts.database.transact((tx) =>
      recordStored(tx, { key, accountId }, stored, this.#parts.clock.now()),
    );
    await this.#parts.blobs.discard(marked ?? [stored]);
    if (marked === undefined) throw noSuchUpload();
    return key;
  }

  /** Makes the stored picture the profile picture, and drops the previous one. */
  async complete(accountId: number, storageName: string): Promise<User> {
    const { stored, contentType: announcedType } = await this.#getTicket(accountId, storageName);
    if (stored === null || stored.size === 0) {
      throw new Failure('rejected', 'The picture has not been uploaded.');
    }
    const bytes = new RangedBytes(stored.size, (start, length) =>
      this.#read(storageName, accountId, stored, { start, end: start + length - 1 }),
    );
    const contentType = await checkPicture(bytes, announcedType);
    const account = await this.#parts.database.transact(async (tx) => {
      const redeemed = await redeemTicket(tx, { key: storageName, accountId }, this.#parts.clock.now());
      if (redeemed === undefined) throw noSuchUpload();
      if (redeemed.stored?.objectKey !== stored.objectKey) throw replacedByAnother();
      const blobId = await this.#parts.blobs.insert(tx, {
        ...stored,
        kind: 'AVATAR',
        contentType,
        createdBy: accountId,
      });
      // Locked, so that of two simultaneous completions the second sees the first one's picture and drops it.
      const { avatarBlobId } = await lockAccount(tx, accountId);
      await setAvatar(tx, accountId, blobId, this.#parts.clock.now());
      if (avatarBlobId !== null) await this.#parts.blobs.dropReference(tx, avatarBlobId);
      return getAccount(tx, accountId);
    });
    return toUser(account);
  }

  /** @throws Failure `not-found` when there is no picture */
  async open(accountId: number): Promise<DownloadableFile> {
    const picture = await findAvatar(this.#parts.database.db, accountId);
    if (picture === undefined) throw new Failure('not-found', 'There is no profile picture.');
    const { policyId, objectKey, contentType, size, sha256, createdAt } = picture;
    const location = { policyId, objectKey };
    return {
      name: `avatar.${contentType?.split('/', 2)[1] ?? 'bin'}`,
      contentType,
      size,
      etag: sha256 ?? objectKey,
      modifiedAt: createdAt,
      open: (range) => this.#parts.blobs.open(location, range),
      read: (range) => this.#parts.blobs.read(location, range),
    };
  }

  /** Deletes uploads that were never completed, with their bytes. */
  async removeExpired(): Promise<void> {
    await this.#parts.blobs.discard(
      await this.#parts.database.transact((tx) => deleteExpiredTickets(tx, this.#parts.clock.now())),
    );
  }

  /** Drops the picture of an account that is being deleted, and deletes its uploads. */
  async deleteAllOf(accountId: number, signal: AbortSignal): Promise<void> {
    const dropped = await this.#parts.database.transact(async (tx) => {
      const { avatarBlobId } = await lockAccount(tx, accountId);
      if (avatarBlobId !== null) {
        await setAvatar(tx, accountId, null, this.#parts.clock.now());
        await this.#parts.blobs.dropReference(tx, avatarBlobId);
      }
      return await deleteOldTickets(tx, accountId, 0);
    });
    await this.#parts.blobs.discard(dropped);
    await deleteRowsOf(this.#parts.database, 'upload_ticket', accountId, signal);
  }

  async #openTicket(accountId: number, contentType: string | null, maxBytes: number): Promise<string> {
    const key = this.#parts.blobs.newKey();
    const createdAt = this.#parts.clock.now();
    const dropped = await this.#parts.database.transact(async (tx) => {
      const expiresAt = createdAt + this.#parts.uploadTtlMs;
      await insertTicket(tx, { key, accountId, maxBytes, contentType, createdAt, expiresAt });
      return deleteOldTickets(tx, accountId, MAX_INITIATED);
    });
    await this.#parts.blobs.discard(dropped);
    return key;
  }

  /** @throws Failure `not-found` */
  async #getTicket(accountId: number, key: string): Promise<Ticket> {
    const ticket = await findTicket(this.#parts.database.db, { key, accountId }, this.#parts.clock.now());
    if (ticket === undefined) throw noSuchUpload();
    return ticket;
  }

  /** @throws Failure `not-found` or `rejected` if the bytes were replaced after the ticket was read */
  async #read(
    storageName: string,
    accountId: number,
    stored: StoredBytes,
    range: ByteRange,
  ): Promise<Buffer> {
    try {
      return await this.#parts.blobs.read(stored, range);
    } catch (error) {
      const ticket = await this.#getTicket(accountId, storageName);
      throw ticket.stored?.objectKey === stored.objectKey ? error : replacedByAnother();
    }
  }
}

function replacedByAnother(): Failure {
  return new Failure('rejected', 'Another picture was uploaded in the meantime. Please try again.');
}

function noSuchUpload(): Failure {
  return new Failure('not-found', 'There is no such upload, or it was completed or has run out.');
}
