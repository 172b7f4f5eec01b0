import type { Accounts, UploadLimit } from '../accounts/accounts.ts';
import type { ByteDigest } from '../base/byte-streams.ts';
import { Failure } from '../base/failure.ts';
import type { FileName } from '../base/file-name.ts';
import type { LogicalPath } from '../base/logical-path.ts';
import type { Blobs } from '../blobs/blobs.ts';
import type { Database, Tx } from '../database/database.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { Directories } from './directories.ts';
import type { Actor, PlacedEntry } from './entry.ts';
import { checkPlace } from './reach.ts';

/** Bytes in the store that no row refers to yet. */
export interface StoredBytes extends ByteDigest {
  readonly objectKey: string;
}

/** Where a new file goes. */
export interface FilePlace {
  readonly directoryPath: LogicalPath;
  readonly name: FileName;
  readonly contentType: string | null;
}

/**
 * How bytes become a file: stored aside first, then one transaction charges the quota, records the blob and puts
 * the entry in its directory. Until that commits nobody sees anything; if it fails, the bytes go.
 */
export class Intake {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #store: ObjectStore;
  readonly #directories: Directories;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    blobs: Blobs;
    store: ObjectStore;
    directories: Directories;
  }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#store = parts.store;
    this.#directories = parts.directories;
  }

  /** What the owner could upload now, to be refused early what cannot fit. */
  getLimit(ownerId: number): Promise<UploadLimit> {
    return this.#accounts.getUploadLimit(this.#database.db, ownerId);
  }

  /** Stores bytes aside; {@link addFile} or {@link discard} must follow. */
  async store(source: AsyncIterable<Uint8Array>, limit: UploadLimit): Promise<StoredBytes> {
    const objectKey = this.#blobs.newKey();
    const { maxBytes, message } = limit;
    const digest = await this.#store.write(objectKey, source, { maxBytes, overLimitMessage: message });
    return { ...digest, objectKey };
  }

  /** Removes bytes that will not become a file. Should that fail, the sweeper takes them. */
  async discard(objectKey: string | null): Promise<void> {
    if (objectKey !== null) await this.#store.remove([objectKey]).catch(() => undefined);
  }

  /**
   * Makes a file of stored bytes; when that is refused, they are gone.
   * @param toPlace may throw: in a form the path can come behind the bytes
   * @throws Failure `conflict` when the name is taken, `over-limit` when they do not fit the quota; `invalid` when
   *   its path would be too long or too deep
   */
  async addFile(actor: Actor, bytes: StoredBytes, toPlace: () => FilePlace): Promise<PlacedEntry> {
    try {
      const place = toPlace();
      return await this.#accounts.changeDrive(actor.ownerId, bytes.size, (tx) =>
        this.recordFile(tx, actor, bytes, place),
      );
    } catch (error) {
      // Only a refusal says for sure that nothing was committed. When a connection breaks during the commit, the
      // bytes may have become a file: the sweeper looks that up, we do not guess.
      if (error instanceof Failure && error.kind !== 'unavailable') await this.discard(bytes.objectKey);
      throw error;
    }
  }

  /** The part of {@link addFile} that is atomic with the caller's own changes, once the bytes are charged. */
  async recordFile(tx: Tx, actor: Actor, bytes: StoredBytes, place: FilePlace): Promise<PlacedEntry> {
    const { ownerId } = actor;
    checkPlace(place.directoryPath, place.name);
    const directory = await this.#directories.ensure(tx, actor, place.directoryPath);
    const blobId = await this.#blobs.insert(tx, {
      objectKey: bytes.objectKey,
      kind: 'FILE',
      size: bytes.size,
      sha256: bytes.sha256,
      crc32: bytes.crc32,
      contentType: place.contentType,
      createdBy: ownerId,
    });
    const entry = await this.#directories.add(
      tx,
      actor,
      {
        ownerId,
        parentId: directory.id,
        name: place.name,
        isDirectory: false,
        blobId,
        size: bytes.size,
        contentType: place.contentType,
      },
      place.directoryPath,
    );
    return { entry, parentPath: place.directoryPath };
  }
}
