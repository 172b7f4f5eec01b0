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
import { checkPathLimits, checkTreePathLimits } from '../entries/path-limits.ts';
import { findUndescribedMedia } from '../metadata/queries.ts';
import type { Copies } from '../tree/copies.ts';

/** Files of one import, with which as much is done as with a new one each. */
const MOST_TOLD = 1_000;

/** Takes what somebody lets others have into a drive: the file or the whole directory, by reference. */
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
   * Copies an entry of another drive, or of the same one, into a directory of the actor's, which is made when it is
   * missing. All of it or nothing, charged in full.
   *
   * @param allow says in the same transaction whether it may be; what it throws refuses everything
   * @throws Failure `not-found` when the entry is not there any more; `conflict`, `over-limit`, `invalid` too deep;
   *   `rejected` into itself
   */
  importEntry(
    actor: Actor,
    source: { readonly ownerId: number; readonly entryId: number },
    targetPath: LogicalPath,
    allow: (tx: Tx) => Promise<void>,
  ): Promise<EntryWithPath> {
    return this.#accounts.withDriveLock(actor.ownerId, 0, async (tx) => {
      await allow(tx);
      const { entry } = await getEntryWithPath(tx, source.ownerId, source.entryId);
      if (actor.ownerId === source.ownerId) await refuseIntoItself(tx, entry, targetPath);
      // Coming from outside, so it comes to every level anew.
      await checkTreePathLimits(tx, entry, ROOT_PATH, targetPath);
      const target = await this.#directories.ensure(tx, actor, targetPath);
      await checkNameFree(tx, target.id, entry.name);
      const copy = await this.#copies.copy(tx, entry, { ownerId: actor.ownerId, parentId: target.id });
      const placed = { entry: copy, parentPath: targetPath };
      await this.#entryEvents.recordCreated(tx, actor, placed);
      // In one drive, whoever finds out about a file writes it to its copies too.
      if (actor.ownerId !== source.ownerId) await this.#tellUndescribed(tx, copy);
      return placed;
    });
  }

  /** What was copied before anything was known about it is as good as new. */
  async #tellUndescribed(tx: Tx, copy: Entry): Promise<void> {
    const files = await findUndescribedMedia(tx, copy.id, MOST_TOLD);
    if (files.length > 0) await this.#filesAddedHooks.run(tx, await resolvePaths(tx, files));
  }

  /**
   * Makes a file over a stored object, of which no byte is copied.
   * @throws Failure `conflict` when the name is taken; `over-limit`; `invalid` too deep
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
    return this.#accounts.withDriveLock(actor.ownerId, { bytes: size, files: 1 }, async (tx) => {
      checkPathLimits(targetPath, name);
      const { id: parentId } = await this.#directories.ensure(tx, actor, targetPath);
      await this.#blobs.addReference(tx, blobId);
      const contentType = contentTypeFor(name, source.contentType);
      const file = { ownerId: actor.ownerId, parentId, name, isDirectory: false, blobId, size, contentType };
      return { entry: await this.#directories.add(tx, actor, file, targetPath), parentPath: targetPath };
    });
  }
}

/** @throws Failure `rejected` */
async function refuseIntoItself(tx: Tx, entry: Entry, path: LogicalPath): Promise<void> {
  const chain = await walkPath(tx, entry.ownerId, segmentsOf(path));
  if (chain.some((directory) => directory.id === entry.id)) {
    throw new Failure('rejected', 'A directory cannot be put into itself or below itself.');
  }
}
