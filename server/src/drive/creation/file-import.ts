import type { Accounts } from '../../accounts/accounts.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/file-name.ts';
import { type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { Tx } from '../../database/database.ts';
import { contentTypeFor } from '../entries/content-type.ts';
import { checkNameFree, type Directories } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { walkPath } from '../entries/entry-queries.ts';
import type { FilesAddedHooks } from '../entries/files-added-hooks.ts';
import { getEntryWithPath, resolvePaths } from '../entries/live-entries.ts';
import { changesManyEntries } from '../entries/long-work.ts';
import { checkPathLimits, checkTreePathLimits } from '../entries/path-limits.ts';
import { findMediaWithoutMetadata } from '../metadata/queries.ts';
import type { Copies } from '../tree/copies.ts';

/** The most files of one import that are treated like new files, so that they get metadata. */
const MAX_TREATED_AS_NEW = 1_000;

/**
 * Imports files and directories that others share. The imported files refer to the stored bytes of the
 * originals.
 */
export class FileImport {
  readonly #accounts: Accounts;
  readonly #blobs: Blobs;
  readonly #copies: Copies;
  readonly #directories: Directories;
  readonly #entryEvents: EntryEvents;
  readonly #filesAddedHooks: FilesAddedHooks;

  constructor(parts: {
    accounts: Accounts;
    blobs: Blobs;
    copies: Copies;
    directories: Directories;
    entryEvents: EntryEvents;
    filesAddedHooks: FilesAddedHooks;
  }) {
    this.#accounts = parts.accounts;
    this.#blobs = parts.blobs;
    this.#copies = parts.copies;
    this.#directories = parts.directories;
    this.#entryEvents = parts.entryEvents;
    this.#filesAddedHooks = parts.filesAddedHooks;
  }

  /**
   * Copies an entry of any drive into a directory of the actor, in one transaction. Creates the directory if
   * it is missing. The usage is charged in full.
   *
   * @param allow runs first in the transaction, and throws if the import is not allowed
   * @throws Failure `not-found` if the entry is gone; `conflict`; `over-limit`; `invalid` if the copy would
   *   be too deep; `rejected` if the target is the entry itself or below it
   */
  importEntry(
    actor: Actor,
    source: { readonly ownerId: number; readonly entryId: number },
    targetPath: LogicalPath,
    allow: (tx: Tx) => Promise<void>,
  ): Promise<EntryWithPath> {
    const copy = async (tx: Tx) => {
      await allow(tx);
      const { entry } = await getEntryWithPath(tx, source.ownerId, source.entryId);
      if (actor.ownerId === source.ownerId) await checkNotIntoItself(tx, entry, targetPath);
      // The depth in the source's drive says nothing about this one, so the whole depth is checked.
      await checkTreePathLimits(tx, entry, ROOT_PATH, targetPath);
      const target = await this.#directories.getOrCreate(tx, actor, targetPath);
      await checkNameFree(tx, target.id, entry.name);
      const root = await this.#copies.copy(tx, entry, { ownerId: actor.ownerId, parentId: target.id });
      const imported = { entry: root, parentPath: targetPath };
      await this.#entryEvents.recordCreated(tx, actor, [imported]);
      // Within one drive, metadata that is found for a file is also written to its copies.
      if (actor.ownerId !== source.ownerId) await this.#runHooksForUndescribed(tx, root);
      return imported;
    };
    return this.#accounts.withDriveLock(actor.ownerId, 0, copy, changesManyEntries(source.entryId));
  }

  /** Files that were imported without metadata are treated like new files. */
  async #runHooksForUndescribed(tx: Tx, copy: Entry): Promise<void> {
    const files = await findMediaWithoutMetadata(tx, copy.id, MAX_TREATED_AS_NEW);
    if (files.length > 0) await this.#filesAddedHooks.run(tx, await resolvePaths(tx, files));
  }

  /**
   * Creates a file that refers to an existing blob. No bytes are copied.
   * @throws Failure `conflict` if the name is taken; `over-limit`; `invalid` if the path is too long or too
   *   deep
   */
  importBlob(
    actor: Actor,
    source: {
      readonly blobId: number;
      readonly name: FileName;
      readonly size: number;
      readonly contentType: string | null;
    },
    targetPath: LogicalPath,
  ): Promise<EntryWithPath> {
    const { blobId, name, size } = source;
    return this.#accounts.withDriveLock(actor.ownerId, { bytes: size, files: 1, entries: 1 }, async (tx) => {
      checkPathLimits(targetPath, name);
      const { id: parentId } = await this.#directories.getOrCreate(tx, actor, targetPath);
      await this.#blobs.addReference(tx, blobId);
      const contentType = contentTypeFor(name, source.contentType);
      const file = { ownerId: actor.ownerId, parentId, name, isDirectory: false, blobId, size, contentType };
      return { entry: await this.#directories.addEntry(tx, actor, file, targetPath), parentPath: targetPath };
    });
  }
}

/** @throws Failure `rejected` */
async function checkNotIntoItself(tx: Tx, entry: Entry, path: LogicalPath): Promise<void> {
  const chain = await walkPath(tx, entry.ownerId, segmentsOf(path));
  if (chain.some((directory) => directory.id === entry.id)) {
    throw new Failure('rejected', 'A directory cannot be put into itself or below itself.');
  }
}
