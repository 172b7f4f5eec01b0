import type { Clock, Instant } from '../../base/clock.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import type { UploadConflictRule } from '../../base/domain/uploads.ts';
import { Failure } from '../../base/failure.ts';
import { checkPathLimits, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { StoredBytes } from '../../policies/policies.ts';
import { type Directories, nameTaken } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { noDirectory } from '../entries/live-entries.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import { deleteMetadata } from '../metadata/queries.ts';
import type { FormerContents } from './former-contents.ts';
import type { NewFile } from './new-file.ts';
import { type FileContent, insertVersion, setContent } from './queries.ts';

/** A file to add to a drive. Its bytes are already stored. */
export interface AddedFile {
  readonly file: NewFile;
  /**
   * What happens if the name is taken; FAIL by default. NEW_VERSION: a file that has the name gets the
   * content. A file with the same bytes stays unchanged.
   */
  readonly onConflict?: ConflictRule | UploadConflictRule;
}

interface ContentChangesParts {
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly directories: Directories;
  readonly conflicts: NameConflicts;
  readonly formerContents: FormerContents;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * Gives files their content, in transactions that have locked the drive: the last step of every upload.
 *
 * Content that is replaced becomes a version. The reference to its blob passes from the entry to the version,
 * so no reference count changes. The same applies when a version is restored.
 */
export class ContentChanges {
  readonly #parts: ContentChangesParts;

  constructor(parts: ContentChangesParts) {
    this.#parts = parts;
  }

  /**
   * Adds a file of stored bytes, or makes them the content of the file that has its name.
   * @param added.isCharged whether the transaction has charged a new file already
   * @throws Failure `conflict` if the name is taken; `over-limit`; `invalid` if the path is too long or too
   *   deep
   */
  async add(
    tx: Tx,
    actor: Actor,
    bytes: StoredBytes,
    { file, onConflict = 'FAIL', isCharged = false }: AddedFile & { readonly isCharged?: boolean },
  ): Promise<EntryWithPath> {
    const { driveId } = actor;
    const current = onConflict === 'NEW_VERSION' ? await findFileAt(tx, driveId, file) : undefined;
    if (current !== undefined) {
      if (await this.#skipSameBytes(tx, actor, current.entry, bytes)) return current;
      return await this.replaceWithBytes(tx, actor, current, { bytes, modifiedAt: file.modifiedAt });
    }
    if (!isCharged) {
      await this.#parts.drives.usage.charge(tx, driveId, { bytes: bytes.size, files: 1, entries: 1 });
    }
    const rule = onConflict === 'NEW_VERSION' ? 'FAIL' : onConflict;
    return await this.#insert(tx, actor, bytes, { file, rule });
  }

  async #insert(
    tx: Tx,
    actor: Actor,
    bytes: StoredBytes,
    { file, rule }: { readonly file: NewFile; readonly rule: ConflictRule },
  ): Promise<EntryWithPath> {
    const { driveId } = actor;
    const { directoryPath, contentType, modifiedAt } = file;
    const { directories, conflicts, blobs } = this.#parts;
    checkPathLimits(directoryPath, file.name);
    const directory = await directories.getOrCreate(tx, actor, directoryPath);
    const place = { directory, directoryPath, name: file.name };
    // With FAIL, the insertion itself detects that the name is taken.
    const name = rule === 'FAIL' ? file.name : await conflicts.resolve(tx, actor, place, rule);
    const blobId = await blobs.insert(tx, {
      ...bytes,
      kind: 'FILE',
      contentType,
      createdBy: actor.accountId,
    });
    const added = { driveId, parentId: directory.id, name, isDirectory: false, blobId, contentType };
    const entry = await directories.addEntry(
      tx,
      actor,
      { ...added, size: bytes.size, modifiedAt },
      directoryPath,
    );
    return { entry, parentPath: directoryPath };
  }

  /**
   * Returns true if the file already has these bytes; the sweeper then removes the newly stored copy. Returns
   * false if either digest is unknown.
   */
  async #skipSameBytes(tx: Tx, actor: Actor, { blobId, size }: Entry, bytes: StoredBytes): Promise<boolean> {
    if (bytes.sha256 === null || blobId === null || size !== bytes.size) return false;
    if ((await this.#parts.blobs.findSha256(tx, blobId)) !== bytes.sha256) return false;
    await this.#parts.blobs.insertUnused(tx, {
      ...bytes,
      contentType: null,
      kind: 'FILE',
      createdBy: actor.accountId,
    });
    return true;
  }

  /**
   * Makes stored bytes the content of a live file, like {@link replace}. Its content type stays the same.
   * @param content without `modifiedAt`, it counts as modified now
   */
  async replaceWithBytes(
    tx: Tx,
    actor: Actor,
    file: EntryWithPath,
    content: { readonly bytes: StoredBytes; readonly modifiedAt: Instant | undefined },
  ): Promise<EntryWithPath> {
    const { bytes, modifiedAt = this.#parts.clock.now() } = content;
    const { contentType } = file.entry;
    const blob = { ...bytes, kind: 'FILE', contentType, createdBy: actor.accountId } as const;
    const blobId = await this.#parts.blobs.insert(tx, blob);
    return this.replace(tx, actor, file, { blobId, size: bytes.size, modifiedAt });
  }

  /**
   * Replaces the content of a live file. The quota is charged with the difference. The metadata of the old
   * content is deleted, and read again from the new content.
   *
   * @param content the entry takes over a reference to its blob
   * @throws Failure `over-limit`, also if the recycle bin leaves no room for the old content; `precondition`
   *   if the content is no longer that of `file`
   */
  async replace(tx: Tx, actor: Actor, file: EntryWithPath, content: FileContent): Promise<EntryWithPath> {
    const { entry: old, parentPath } = file;
    const bytes = content.size - old.size;
    const { driveId, accountId } = actor;
    await this.#parts.drives.usage.charge(tx, driveId, { bytes, files: 0, entries: 0, keptBytes: old.size });
    const now = this.#parts.clock.now();
    const entry = await setContent(tx, old, content, { accountId, now });
    if (entry === undefined) throw outdated();
    const versionId = await insertVersion(tx, old, toContent(old), now);
    await this.#parts.formerContents.makeRoomFor(tx, old, versionId);
    await deleteMetadata(tx, old.id);
    const replaced = { entry, parentPath };
    await this.#parts.entryEvents.runContentReplaced(tx, replaced, versionId);
    await this.#parts.entryEvents.recordUpdated(tx, actor, [replaced]);
    return replaced;
  }
}

/** The failure for a file whose content has changed since the caller compared its tag. */
export function outdated(): Failure {
  return new Failure('precondition', 'The file has been changed in the meantime.');
}

function toContent({ id, blobId, size, modifiedAt }: Entry): FileContent {
  if (blobId === null) throw new Error(`The entry ${id} is a directory, which has no content.`);
  return { blobId, size, modifiedAt };
}

/**
 * The file at a path; undefined if there is none.
 * @throws Failure `conflict` if the path is a directory, or one of its parents is a file; `not-found` if the
 *   parent does not exist and would not be created
 */
export async function findFileAt(
  db: Db,
  driveId: number,
  { directoryPath, name }: NewFile,
  createsParents = true,
): Promise<EntryWithPath | undefined> {
  const names = [...segmentsOf(directoryPath), name];
  const chain = await walkPath(db, driveId, names);
  const last = chain.at(-1);
  if (chain.length <= names.length) {
    if (last?.isDirectory === false) throw nameTaken(last.name);
    if (!createsParents && chain.length < names.length) throw noDirectory(directoryPath);
    return undefined;
  }
  if (last === undefined || last.isDirectory) throw nameTaken(name);
  return { entry: last, parentPath: directoryPath };
}
