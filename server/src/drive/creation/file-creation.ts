import type { FileHandle } from 'node:fs/promises';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import type { ExpectedSize, UploadConflictRule } from '../../base/domain/uploads.ts';
import { isDefiniteFailure } from '../../base/failure.ts';
import { segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Tx } from '../../database/database.ts';
import {
  type Drives,
  getReplacementLimit,
  getUploadLimit,
  type UploadLimit,
  type UploadReservation,
  type Visit,
} from '../../drives/drives.ts';
import type { ObjectLocation, StoredBytes } from '../../policies/policies.ts';
import { type Directories, nameTaken } from '../entries/directories.ts';
import type { Actor, EntryWithPath } from '../entries/entry.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { checkPathLimits } from '../entries/path-limits.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import type { NewFile } from './new-file.ts';

const OVER_OBJECT_SIZE = 'The file is larger than the storage accepts.';

interface FileCreationParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly directories: Directories;
  readonly conflicts: NameConflicts;
}

/**
 * Creates files from uploaded bytes. The bytes are stored first, under a key that nothing refers to. Then one
 * transaction charges the quota, inserts the blob and adds the entry to its directory. If it fails, the bytes
 * are removed.
 */
export class FileCreation {
  readonly #parts: FileCreationParts;

  constructor(parts: FileCreationParts) {
    this.#parts = parts;
  }

  /**
   * The maximum size of a file that the owner could upload now. Lets callers reject early what cannot fit.
   * @param policyId the policy that will store the file; by default the one for new objects
   */
  async getUploadLimit(ownerId: number, policyId?: number): Promise<UploadLimit> {
    return this.#toObjectLimit(await getUploadLimit(this.#parts.database.db, ownerId), policyId);
  }

  /** The maximum size of content that could now replace the content of a file of `replacedBytes` bytes. */
  async getReplacementLimit(ownerId: number, replacedBytes: number): Promise<UploadLimit> {
    const { db } = this.#parts.database;
    return this.#toObjectLimit(await getReplacementLimit(db, ownerId, replacedBytes));
  }

  async #toObjectLimit(limit: UploadLimit, policyId?: number): Promise<UploadLimit> {
    const largest = await this.#parts.blobs.getMaxObjectBytes(policyId);
    return limit.maxBytes <= largest
      ? limit
      : { maxBytes: largest, limitedBy: 'size', message: OVER_OBJECT_SIZE };
  }

  /**
   * Checks whether the file could be created now. Lets callers reject early; {@link insertFile} decides.
   * @param onConflict RENAME accepts a name that is taken, NEW_VERSION that of a file
   * @throws Failure `conflict` if the name is taken or a segment of the path is a file; `invalid` if the path
   *   is too long or too deep
   */
  async checkCanCreate(
    ownerId: number,
    { directoryPath, name }: NewFile,
    onConflict: 'RENAME' | UploadConflictRule = 'FAIL',
  ): Promise<void> {
    checkPathLimits(directoryPath, name);
    const names = [...segmentsOf(directoryPath), name];
    const chain = await walkPath(this.#parts.database.db, ownerId, names);
    const last = chain.at(-1);
    const isTaken = chain.length > names.length;
    const isAccepted =
      onConflict === 'RENAME' || (onConflict === 'NEW_VERSION' && last?.isDirectory === false);
    if (isTaken ? !isAccepted : last?.isDirectory === false) throw nameTaken(last?.name ?? name);
  }

  /**
   * Runs the work while the bytes of an upload are reserved in the owner's quota.
   * @param chargedBytes the size of the content that the upload replaces
   * @throws Failure `over-limit` if an announced size does not fit, before the work begins
   */
  reserveDuring<T>(
    ownerId: number,
    size: ExpectedSize,
    work: (reservation: UploadReservation) => Promise<T>,
    chargedBytes = 0,
  ): Promise<T> {
    return this.#parts.drives.reservations.reserveDuring({ ownerId, size, chargedBytes }, work);
  }

  /**
   * Like {@link reserveDuring}, but the upload must also fit with the announced and reserved bytes of other
   * visitors.
   * @throws Failure also those of the check of the visit
   */
  reserveForVisitorDuring<T>(
    ownerId: number,
    size: ExpectedSize,
    visit: Visit,
    work: (reservation: UploadReservation) => Promise<T>,
  ): Promise<T> {
    return this.#parts.drives.reservations.reserveDuring({ ownerId, size, visit }, work);
  }

  /**
   * Stores bytes that nothing refers to yet. The store may reuse the memory of the source's chunks. The caller
   * must create a file from them or call {@link discard} next.
   */
  store(
    source: AsyncIterable<Uint8Array>,
    { maxBytes, message }: Omit<UploadLimit, 'limitedBy'>,
    reservation: UploadReservation,
  ): Promise<StoredBytes> {
    const { expectedBytes } = reservation;
    return this.#parts.blobs.write(reservation.limit(source), {
      maxBytes,
      overLimitMessage: message,
      expectedBytes,
      ownsChunks: true,
    });
  }

  /** Like {@link store}, for the bytes of an open file on this machine. */
  storeFile(
    file: FileHandle,
    { maxBytes, message }: Omit<UploadLimit, 'limitedBy'>,
    { expectedBytes }: UploadReservation,
    signal: AbortSignal,
  ): Promise<StoredBytes> {
    return this.#parts.blobs.writeFile(file, { maxBytes, overLimitMessage: message, expectedBytes, signal });
  }

  /** Removes bytes that will not become a file. If that fails, the sweeper removes them later. */
  discard(location: ObjectLocation): Promise<void> {
    return this.#parts.blobs.discard([location]);
  }

  /**
   * Creates a file from stored bytes. The caller provides the insertion, which combines {@link insertFile}
   * with other changes. If that is rejected, the bytes are removed.
   * @param reservation the reservation of the bytes, which ends when they are charged
   * @param prepare returns the insertion, or throws, since in a form the path can follow the bytes
   * @throws Failure `over-limit` if the bytes exceed the quota; what the insertion throws
   */
  createWith<T>(
    ownerId: number,
    bytes: StoredBytes,
    reservation: UploadReservation,
    prepare: () => (tx: Tx) => Promise<T>,
  ): Promise<T> {
    return this.commitStored(ownerId, bytes, reservation, () => ({ isNewFile: true, work: prepare() }));
  }

  /**
   * Uses stored bytes in a transaction that locks the drive and ends their reservation. If that is rejected, the bytes
   * are removed.
   * @param prepare returns the work, or throws. For a new file the lock charges it in the same statement;
   *   otherwise the work charges what it adds.
   * @throws Failure `over-limit` if a new file exceeds the quota; what the work throws
   */
  async commitStored<T>(
    ownerId: number,
    bytes: StoredBytes,
    reservation: UploadReservation,
    prepare: () => { readonly isNewFile: boolean; readonly work: (tx: Tx) => Promise<T> },
  ): Promise<T> {
    try {
      const { isNewFile, work } = prepare();
      const usage = isNewFile ? { bytes: bytes.size, files: 1, entries: 1 } : 0;
      return await this.#parts.drives.withDriveLock(ownerId, usage, async (tx) => {
        await reservation.endWith(tx);
        return await work(tx);
      });
    } catch (error) {
      if (isDefiniteFailure(error)) await this.discard(bytes);
      throw error;
    }
  }

  /**
   * Adds a file of stored bytes to its directory, in a transaction that has locked the drive and charged the file.
   * @param onConflict what happens if the name is taken
   * @throws Failure `conflict` if the name is taken; `invalid` if the path is too long or too deep
   */
  async insertFile(
    tx: Tx,
    actor: Actor,
    bytes: StoredBytes,
    file: NewFile,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<EntryWithPath> {
    const { ownerId } = actor;
    const { directoryPath } = file;
    checkPathLimits(directoryPath, file.name);
    const directory = await this.#parts.directories.getOrCreate(tx, actor, directoryPath);
    const place = { directory, directoryPath, name: file.name };
    const name =
      onConflict === 'FAIL' ? file.name : await this.#parts.conflicts.resolve(tx, actor, place, onConflict);
    const blobId = await this.#parts.blobs.insert(tx, {
      ...bytes,
      kind: 'FILE',
      contentType: file.contentType,
      createdBy: ownerId,
    });
    const entry = await this.#parts.directories.addEntry(
      tx,
      actor,
      {
        ownerId,
        parentId: directory.id,
        name,
        isDirectory: false,
        blobId,
        size: bytes.size,
        contentType: file.contentType,
        modifiedAt: file.modifiedAt,
      },
      directoryPath,
    );
    return { entry, parentPath: directoryPath };
  }
}
