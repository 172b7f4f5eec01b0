import type { FileHandle } from 'node:fs/promises';
import type { Instant } from '../../base/clock.ts';
import type { ExpectedSize, UploadConflictRule } from '../../base/domain/uploads.ts';
import { Failure, isDefiniteFailure } from '../../base/failure.ts';
import { checkPathLimits, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import {
  type Drives,
  type DriveUser,
  getReplacementLimit,
  getUploadLimit,
  type UploadLimit,
  type UploadReservation,
  type Visit,
} from '../../drives/drives.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { nameTaken } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import { getEntryWithPath } from '../entries/live-entries.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import { type AddedFile, type ContentChanges, findFileAt } from './content-changes.ts';
import type { NewFile } from './new-file.ts';

const OVER_OBJECT_SIZE = 'The file is larger than the storage accepts.';

/** The file that will receive the content. */
type ContentTarget =
  | { readonly fileId: number }
  | {
      /** Its content type applies only if the file is created. */
      readonly file: NewFile;
      /** Whether missing parents are created; true by default. */
      readonly createsParents?: boolean;
    };

/** The content that a request sends. */
interface NewContent {
  readonly source: AsyncIterable<Uint8Array>;
  readonly size: ExpectedSize;
  readonly modifiedAt?: Instant | undefined;
  /**
   * Throws if the request must not change the current entry, which is undefined if there is none. Called
   * before the bytes are read, and again in the transaction, with its handle.
   */
  readonly check?: (current: Entry | undefined, db: Db) => void | Promise<void>;
}

/** What is done with stored bytes in the transaction that locks the drive. */
interface Commit<T> {
  /**
   * Whether the statement that locks the drive also charges a new file. Otherwise `work` charges what it
   * adds.
   */
  readonly isNewFile: boolean;
  readonly work: (tx: Tx) => Promise<T>;
}

interface ContentParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly contentChanges: ContentChanges;
}

/**
 * Brings bytes into a drive. First, they are reserved in the quota and stored under a key that nothing refers
 * to. Then one transaction charges the quota and creates the file, or replaces its content and keeps the old
 * content as a version. If it fails, the bytes are removed.
 */
export class Content {
  readonly #parts: ContentParts;
  /** Files whose content is being replaced by requests to this instance. */
  readonly #replacing = new Set<number>();

  constructor(parts: ContentParts) {
    this.#parts = parts;
  }

  /**
   * The maximum size of content that could be stored in the drive now. Lets callers reject early what cannot fit.
   * @param options.policyId the policy that will store it; by default the one for new objects
   * @param options.replaced the file that gets the content; by default it is a new one
   */
  async getLimit(
    driveId: number,
    { policyId, replaced }: { policyId?: number; replaced?: Pick<Entry, 'size'> | undefined } = {},
  ): Promise<UploadLimit> {
    const { blobs, database } = this.#parts;
    const limit =
      replaced === undefined
        ? await getUploadLimit(database.db, driveId)
        : await getReplacementLimit(database.db, driveId, replaced.size);
    const largest = await blobs.getMaxObjectBytes(policyId);
    return limit.maxBytes <= largest
      ? limit
      : { maxBytes: largest, limitedBy: 'size', message: OVER_OBJECT_SIZE };
  }

  /**
   * Checks whether the file could be created now. Lets callers reject early; {@link ContentChanges.add}
   * decides.
   * @param onConflict RENAME accepts any taken name, NEW_VERSION the name of a file
   * @throws Failure `conflict` if the name is taken or a segment of the path is a file; `invalid` if the path
   *   is too long or too deep
   */
  async checkCanCreate(
    driveId: number,
    { directoryPath, name }: NewFile,
    onConflict: 'RENAME' | UploadConflictRule = 'FAIL',
  ): Promise<void> {
    checkPathLimits(directoryPath, name);
    const names = [...segmentsOf(directoryPath), name];
    const chain = await walkPath(this.#parts.database.db, driveId, names);
    const last = chain.at(-1);
    const isTaken = chain.length > names.length;
    const isAccepted =
      onConflict === 'RENAME' || (onConflict === 'NEW_VERSION' && last?.isDirectory === false);
    if (isTaken ? !isAccepted : last?.isDirectory === false) throw nameTaken(last?.name ?? name);
  }

  /**
   * Stores content that a request sends: creates the file, or replaces its content. If several requests race
   * for a free path, one creates the file and the others replace its content.
   * @returns the file, and whether it is new
   * @throws Failure as {@link findTarget}; `over-limit`; `invalid`; what `content.source` and `content.check`
   *   throw
   */
  async store(
    actor: Actor,
    target: ContentTarget,
    content: NewContent,
  ): Promise<{ readonly file: EntryWithPath; readonly isNew: boolean }> {
    const { driveId } = actor;
    const { database, contentChanges } = this.#parts;
    const replaced = await findTarget(database.db, driveId, target);
    await content.check?.(replaced?.entry, database.db);
    const limit = await this.getLimit(driveId, { replaced: replaced?.entry });
    if (content.size.minBytes > limit.maxBytes) throw new Failure('over-limit', limit.message);
    return await this.#reserveFor(actor, replaced?.entry, content.size, async (write) => {
      const bytes = await write.store(content.source, limit);
      const work = async (tx: Tx) => {
        const current = await findTarget(tx, driveId, target);
        await content.check?.(current?.entry, tx);
        const { modifiedAt } = content;
        const file =
          current === undefined
            ? await contentChanges.add(tx, actor, bytes, { file: { ...getNewFile(target), modifiedAt } })
            : await contentChanges.replaceWithBytes(tx, actor, current, { bytes, modifiedAt });
        return { file, isNew: current === undefined };
      };
      return await write.commit(bytes, () => ({ isNewFile: false, work }));
    });
  }

  /**
   * If a file is being replaced several times at once, only one replacement may treat its old bytes as
   * already charged. Otherwise, many at once could store any number of bytes.
   */
  async #reserveFor<T>(
    user: DriveUser,
    replaced: Entry | undefined,
    size: ExpectedSize,
    work: (write: ContentWrite) => Promise<T>,
  ): Promise<T> {
    if (replaced === undefined || this.#replacing.has(replaced.id)) {
      return this.reserveDuring({ user, size }, work);
    }
    this.#replacing.add(replaced.id);
    try {
      return await this.reserveDuring({ user, size, chargedBytes: replaced.size }, work);
    } finally {
      this.#replacing.delete(replaced.id);
    }
  }

  /**
   * Runs the work while the bytes of an upload are reserved in the drive. For uploads whose path
   * arrives after their bytes; others use {@link store}.
   * @param upload.visit the visitor who sends it. The upload must then also fit alongside what other visitors
   *   have announced and reserved
   * @param upload.chargedBytes the size of the content that it replaces
   * @throws Failure `over-limit` before the work begins, if an announced size does not fit; what the visit's
   *   check throws
   */
  reserveDuring<T>(
    upload: {
      readonly user: DriveUser;
      readonly size: ExpectedSize;
      readonly visit?: Visit;
      readonly chargedBytes?: number;
    },
    work: (write: ContentWrite) => Promise<T>,
  ): Promise<T> {
    const { drives } = this.#parts;
    return drives.reservations.reserveDuring(upload, (reservation) =>
      work(new ContentWrite({ ...this.#parts, user: upload.user, reservation })),
    );
  }
}

interface ContentWriteParts extends ContentParts {
  readonly user: DriveUser;
  readonly reservation: UploadReservation;
}

/** One upload whose bytes are reserved. Its content is stored, then committed. */
export class ContentWrite {
  readonly #parts: ContentWriteParts;

  constructor(parts: ContentWriteParts) {
    this.#parts = parts;
  }

  /**
   * Stores bytes that nothing refers to yet. The store may reuse the memory of the source's chunks. The
   * caller must commit them or call {@link discard} next.
   */
  store(
    source: AsyncIterable<Uint8Array>,
    { maxBytes, message }: Omit<UploadLimit, 'limitedBy'>,
  ): Promise<StoredBytes> {
    const { expectedBytes } = this.#parts.reservation;
    return this.#parts.blobs.write(this.#parts.reservation.limit(source), {
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
    signal: AbortSignal,
  ): Promise<StoredBytes> {
    const { expectedBytes } = this.#parts.reservation;
    return this.#parts.blobs.writeFile(file, { maxBytes, overLimitMessage: message, expectedBytes, signal });
  }

  /** Removes bytes that will not become a file. If that fails, the sweeper removes them later. */
  async discard(bytes: StoredBytes): Promise<void> {
    await this.#parts.blobs.discard([bytes]);
  }

  /**
   * Makes stored bytes a new file, or the content of the file that has its name. If that is rejected, the
   * bytes are removed.
   * @param prepare returns the file, or throws. It runs only now because a form may send the path after the
   *   bytes
   * @throws Failure as {@link ContentChanges.add}
   */
  commitFile(actor: Actor, bytes: StoredBytes, prepare: () => AddedFile): Promise<EntryWithPath> {
    return this.commit(bytes, () => {
      const added = prepare();
      const isCharged = added.onConflict !== 'NEW_VERSION';
      return {
        isNewFile: isCharged,
        work: (tx) => this.#parts.contentChanges.add(tx, actor, bytes, { ...added, isCharged }),
      };
    });
  }

  /**
   * Uses stored bytes in a transaction that locks the drive and ends their reservation. If that is rejected,
   * the bytes are removed.
   * @param prepare returns the work, or throws
   * @throws Failure `over-limit` if a new file exceeds the quota; what the work throws
   */
  async commit<T>(bytes: StoredBytes, prepare: () => Commit<T>): Promise<T> {
    try {
      const { isNewFile, work } = prepare();
      const usage = isNewFile ? { bytes: bytes.size, files: 1, entries: 1 } : 0;
      return await this.#parts.drives.withDriveLock(this.#parts.user, usage, async (tx) => {
        await this.#parts.reservation.endWith(tx);
        return await work(tx);
      });
    } catch (error) {
      if (isDefiniteFailure(error)) await this.discard(bytes);
      throw error;
    }
  }
}

/**
 * The file that will receive the content; undefined if there is nothing at its path.
 * @throws Failure `not-found` for an id without a file, `rejected` for that of a directory; otherwise as
 *   {@link findFileAt}
 */
async function findTarget(
  db: Db,
  driveId: number,
  target: ContentTarget,
): Promise<EntryWithPath | undefined> {
  if ('file' in target) return await findFileAt(db, driveId, target.file, target.createsParents);
  const found = await getEntryWithPath(db, driveId, target.fileId);
  if (found.entry.isDirectory) throw new Failure('rejected', 'A directory has no content.');
  return found;
}

function getNewFile(target: ContentTarget): NewFile {
  if ('file' in target) return target.file;
  throw new Error('There is neither a file nor a place for a new one.');
}
