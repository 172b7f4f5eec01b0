import type { Accounts, UploadLimit } from '../../accounts/accounts.ts';
import { isRefusal } from '../../base/failure.ts';
import { segmentsOf } from '../../base/text/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import type { ObjectLocation, StoredBytes } from '../../policies/policies.ts';
import { type Directories, nameTaken } from '../entries/directories.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import { walkPath } from '../entries/entry-queries.ts';
import { checkPathLimits } from '../entries/path-limits.ts';
import type { NewFile } from './new-file.ts';

const OVER_OBJECT_SIZE = 'The file is larger than the storage takes.';

/**
 * How bytes become a file: stored aside first, then one transaction charges the quota, records the blob and puts
 * the entry in its directory. Until that commits nobody sees anything; if it fails, the bytes go.
 */
export class FileCreation {
  readonly #database: Database;
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #directories: Directories;

  constructor(parts: {
    database: Database;
    accounts: Accounts;
    blobs: Blobs;
    directories: Directories;
  }) {
    this.#database = parts.database;
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#directories = parts.directories;
  }

  /**
   * What the owner could upload now, to be refused early what cannot fit.
   * @param policyId where it is to lie, if not where everything new goes
   */
  async getUploadLimit(ownerId: number, policyId?: number): Promise<UploadLimit> {
    const limit = await this.#accounts.getUploadLimit(this.#database.db, ownerId);
    const largest = await this.#blobs.getMaxObjectBytes(policyId);
    return limit.maxBytes <= largest ? limit : { maxBytes: largest, message: OVER_OBJECT_SIZE };
  }

  /**
   * Whether a file could be put there now, to be refused early. What holds is {@link insertFile}.
   * @throws Failure `conflict` when the name is taken or a file is in the way; `invalid` for a path too long or too deep
   */
  async checkCanCreate(ownerId: number, { directoryPath, name }: NewFile): Promise<void> {
    checkPathLimits(directoryPath, name);
    const names = [...segmentsOf(directoryPath), name];
    const chain = await walkPath(this.#database.db, ownerId, names);
    const last = chain.at(-1);
    if (chain.length > names.length || last?.isDirectory === false) throw nameTaken(last?.name ?? name);
  }

  /** Stores bytes aside; {@link createFile} or {@link discard} must follow. */
  store(source: AsyncIterable<Uint8Array>, { maxBytes, message }: UploadLimit): Promise<StoredBytes> {
    return this.#blobs.write(source, { maxBytes, overLimitMessage: message });
  }

  /** Removes bytes that will not become a file. Should that fail, the sweeper takes them. */
  discard(place: ObjectLocation): Promise<void> {
    return this.#blobs.discard([place]);
  }

  /**
   * Makes a file of stored bytes; when that is refused, they are gone.
   * @param toPlace may throw: in a form the path can come behind the bytes
   * @throws Failure `conflict` when the name is taken, `over-limit` when they do not fit the quota; `invalid` when
   *   its path would be too long or too deep
   */
  async createFile(actor: Actor, bytes: StoredBytes, toPlace: () => NewFile): Promise<EntryWithPath> {
    try {
      const place = toPlace();
      return await this.#accounts.withDriveLock(actor.ownerId, { bytes: bytes.size, files: 1 }, (tx) =>
        this.insertFile(tx, actor, bytes, place),
      );
    } catch (error) {
      if (isRefusal(error)) await this.discard(bytes);
      throw error;
    }
  }

  /** The part of {@link createFile} that is atomic with the caller's own changes, once the file is charged. */
  async insertFile(tx: Tx, actor: Actor, bytes: StoredBytes, place: NewFile): Promise<EntryWithPath> {
    const { ownerId } = actor;
    checkPathLimits(place.directoryPath, place.name);
    const directory = await this.#directories.ensure(tx, actor, place.directoryPath);
    const blobId = await this.#blobs.insert(tx, {
      ...bytes,
      kind: 'FILE',
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
