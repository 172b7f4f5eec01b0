import type { Instant } from '../../base/clock.ts';
import type { ExpectedSize, UploadConflictRule } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import { segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Database, Db, Tx } from '../../database/database.ts';
import { chargeUsage, type Drives, type UploadReservation } from '../../drives/drives.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import type { FileCreation } from '../creation/file-creation.ts';
import type { NewFile } from '../creation/new-file.ts';
import { nameTaken } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import { getEntryWithPath, noDirectory } from '../entries/live-entries.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import type { ContentReplacement } from './content-replacement.ts';

/** The content that a request sends. */
export interface NewContent {
  readonly source: AsyncIterable<Uint8Array>;
  readonly size: ExpectedSize;
  readonly modifiedAt?: Instant | undefined;
  /**
   * Throws if the request must not change what is there now; undefined means that there is nothing. Called
   * before the bytes are read, and again in the transaction, with its handle.
   */
  readonly check?: (current: Entry | undefined, db: Db) => void | Promise<void>;
}

/** The file that has the content now. */
export interface StoredContent {
  readonly file: EntryWithPath;
  /** Whether the file was created. Otherwise its content was replaced. */
  readonly isNew: boolean;
}

/** Finds the file that is to get the content; undefined if it does not exist yet. */
type FindFile = (db: Db) => Promise<EntryWithPath | undefined>;

interface FileContentsParts {
  readonly database: Database;
  readonly drives: Drives;
  readonly fileCreation: FileCreation;
  readonly contentReplacement: ContentReplacement;
}

/**
 * Stores the content of files that may exist already. The bytes are stored first. Then one transaction charges
 * the quota and creates the file, or replaces its content and keeps the old content as a version. If it fails,
 * the bytes are removed.
 */
export class FileContents {
  readonly #parts: FileContentsParts;
  /** Files whose content is being replaced by requests to this instance. */
  readonly #replacing = new Set<number>();

  constructor(parts: FileContentsParts) {
    this.#parts = parts;
  }

  /**
   * Replaces the content of a file.
   * @throws Failure `not-found`; `rejected` for a directory; `over-limit`; what `content.source` and
   *   `content.check` throw
   */
  async replace(actor: Actor, fileId: number, content: NewContent): Promise<EntryWithPath> {
    const { file } = await this.#store(actor, content, async (db) => {
      const found = await getEntryWithPath(db, actor.ownerId, fileId);
      if (found.entry.isDirectory) throw new Failure('rejected', 'A directory has no content.');
      return found;
    });
    return file;
  }

  /**
   * Stores content at a path: creates the file, or replaces the content of the file that is there. Of several
   * requests that race for a free path, one creates the file and the others replace its content.
   * @param file its content type applies only if the file is created
   * @throws Failure `conflict` if there is a directory at the path, or a file among its parents; `not-found` if
   *   the parent does not exist and `createsParents` is false; `over-limit`; `invalid`; what
   *   `content.source` and `content.check` throw
   */
  storeAt(
    actor: Actor,
    file: NewFile,
    content: NewContent,
    { createsParents = true }: { createsParents?: boolean } = {},
  ): Promise<StoredContent> {
    const find = (db: Db) => findFileAt(db, actor.ownerId, file, createsParents);
    return this.#store(actor, content, find, file);
  }

  /**
   * Makes stored bytes the content of a new file, or of the file that has its name. If that is rejected, the bytes are removed.
   * @param reservation the reservation of the bytes, which ends when they are charged
   * @param prepare returns the file, or throws, since in a form the path can follow the bytes
   * @throws Failure as {@link addStored}
   */
  async add(
    actor: Actor,
    bytes: StoredBytes,
    reservation: UploadReservation,
    prepare: () => { readonly file: NewFile; readonly onConflict: UploadConflictRule },
  ): Promise<EntryWithPath> {
    return await this.#parts.fileCreation.commitStored(actor.ownerId, bytes, reservation, () => {
      const { file, onConflict } = prepare();
      const isNewFile = onConflict === 'FAIL';
      return {
        isNewFile,
        work: (tx) =>
          isNewFile
            ? this.#parts.fileCreation.insertFile(tx, actor, bytes, file)
            : this.addStored(tx, actor, bytes, file, onConflict),
      };
    });
  }

  /**
   * Does the part of {@link add} that callers combine with their own changes in one transaction, which has locked
   * the drive. It charges the quota.
   * @param onConflict NEW_VERSION: a file that has the name gets the content. One that has the same bytes stays as it is.
   * @throws Failure `conflict` if the name is taken; `over-limit`; `invalid` if the path is too long or too deep
   */
  async addStored(
    tx: Tx,
    actor: Actor,
    bytes: StoredBytes,
    file: NewFile,
    onConflict: UploadConflictRule,
  ): Promise<EntryWithPath> {
    const current =
      onConflict === 'NEW_VERSION' ? await findFileAt(tx, actor.ownerId, file, true) : undefined;
    if (
      current !== undefined &&
      (await this.#parts.contentReplacement.skipSameBytes(tx, current.entry, bytes))
    ) {
      return current;
    }
    const { modifiedAt } = file;
    return (await this.#commit(tx, actor, bytes, { modifiedAt }, current, file)).file;
  }

  /** @param newFile what is created if there is no file; not necessary if `find` always finds one */
  async #store(actor: Actor, content: NewContent, find: FindFile, newFile?: NewFile): Promise<StoredContent> {
    const { ownerId } = actor;
    const found = await find(this.#parts.database.db);
    await content.check?.(found?.entry, this.#parts.database.db);
    const limit =
      found === undefined
        ? await this.#parts.fileCreation.getUploadLimit(ownerId)
        : await this.#parts.fileCreation.getReplacementLimit(ownerId, found.entry.size);
    if (content.size.minBytes > limit.maxBytes) throw new Failure('over-limit', limit.message);
    return this.#reserve(ownerId, found?.entry, content, async (reservation) => {
      const bytes = await this.#parts.fileCreation.store(content.source, limit, reservation);
      const work = async (tx: Tx) => {
        const current = await find(tx);
        await content.check?.(current?.entry, tx);
        return await this.#commit(tx, actor, bytes, content, current, newFile);
      };
      return await this.#parts.fileCreation.commitStored(ownerId, bytes, reservation, () => ({
        isNewFile: false,
        work,
      }));
    });
  }

  /**
   * Only one of the running replacements of a file counts its old bytes as charged. Otherwise many at once could
   * store any number of bytes.
   */
  async #reserve<T>(
    ownerId: number,
    replaced: Entry | undefined,
    { size }: NewContent,
    work: (reservation: UploadReservation) => Promise<T>,
  ): Promise<T> {
    if (replaced === undefined || this.#replacing.has(replaced.id)) {
      return this.#parts.fileCreation.reserveDuring(ownerId, size, work);
    }
    this.#replacing.add(replaced.id);
    try {
      return await this.#parts.fileCreation.reserveDuring(ownerId, size, work, replaced.size);
    } finally {
      this.#replacing.delete(replaced.id);
    }
  }

  async #commit(
    tx: Tx,
    actor: Actor,
    bytes: StoredBytes,
    { modifiedAt }: Pick<NewContent, 'modifiedAt'>,
    current: EntryWithPath | undefined,
    newFile: NewFile | undefined,
  ): Promise<StoredContent> {
    const { ownerId } = actor;
    if (current === undefined) {
      if (newFile === undefined) throw new Error('There is neither a file nor a place for a new one.');
      await chargeUsage(tx, ownerId, { bytes: bytes.size, files: 1, entries: 1 });
      const created = { ...newFile, modifiedAt: modifiedAt ?? newFile.modifiedAt };
      return { file: await this.#parts.fileCreation.insertFile(tx, actor, bytes, created), isNew: true };
    }
    const content = { bytes, modifiedAt };
    return {
      file: await this.#parts.contentReplacement.replaceWithBytes(tx, actor, current, content),
      isNew: false,
    };
  }
}

/**
 * The file at a path; undefined if there is nothing.
 * @throws Failure `conflict` if there is a directory, or a file among its parents; `not-found` if the parent does not
 *   exist and would not be created
 */
async function findFileAt(
  db: Db,
  ownerId: number,
  { directoryPath, name }: NewFile,
  createsParents: boolean,
): Promise<EntryWithPath | undefined> {
  const names = [...segmentsOf(directoryPath), name];
  const chain = await walkPath(db, ownerId, names);
  const last = chain.at(-1);
  if (chain.length <= names.length) {
    if (last?.isDirectory === false) throw nameTaken(last.name);
    if (!createsParents && chain.length < names.length) throw noDirectory(directoryPath);
    return undefined;
  }
  if (last === undefined || last.isDirectory) throw nameTaken(name);
  return { entry: last, parentPath: directoryPath };
}
