import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import {
  checkPathLimits,
  childOf,
  type LogicalPath,
  ROOT_PATH,
  segmentsOf,
} from '../../base/text/names/logical-path.ts';
import type { Blobs } from '../../blobs/blobs.ts';
import type { ContentSearch } from '../../content-search/content-search.ts';
import type { Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { ImportTarget } from '../contract.ts';
import type { Directories } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { findLiveEntries } from '../entries/entry-queries.ts';
import { getEntryWithPath } from '../entries/live-entries.ts';
import { changesManyEntries, longIfReplacing } from '../entries/long-work.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { checkTreePathLimits } from '../entries/path-limits.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import { placeFor } from '../entries/place.ts';
import { runHooksForUndescribed } from '../metadata/undescribed-media.ts';
import type { Copies } from '../tree/copies.ts';
import { contentTypeFor } from './new-file.ts';

/** The entry to copy, from any drive. */
interface ImportSource {
  readonly driveId: number;
  readonly entryId: number;
  readonly name?: FileName;
}

interface FileImportParts {
  readonly drives: Drives;
  readonly blobs: Blobs;
  readonly contentSearch: ContentSearch;
  readonly copies: Copies;
  readonly conflicts: NameConflicts;
  readonly directories: Directories;
  readonly entryEvents: EntryEvents;
}

/**
 * Imports files and directories that others share. The imported files refer to the originals' stored bytes.
 */
export class FileImport {
  readonly #parts: FileImportParts;

  constructor(parts: FileImportParts) {
    this.#parts = parts;
  }

  /**
   * Copies an entry of any drive into a directory of the actor, in one transaction. Creates the directory if
   * it is missing. The usage is charged in full.
   *
   * @param source.name the name of the copy; by default that of the entry. A copy of the root of a drive
   *   needs one.
   * @param allow runs first in the transaction, and throws if the import is not allowed
   * @throws Failure `not-found` if the entry is gone; `conflict` or `rejected` as
   *   {@link NameConflicts.resolve}; `over-limit`; `invalid` if the copy would be too deep; `rejected` if the
   *   target is the entry itself or below it
   */
  importEntry(
    actor: Actor,
    source: ImportSource,
    { targetPath, onConflict }: ImportTarget,
    allow: (tx: Tx) => Promise<void>,
  ): Promise<EntryWithPath> {
    const copy = async (tx: Tx) => {
      await allow(tx);
      const { entry: original, parentPath } = await getSource(tx, source);
      const entry = source.name === undefined ? original : { ...original, name: source.name };
      if (actor.driveId === source.driveId) await checkNotIntoItself(tx, entry, targetPath);
      // The entry's depth in the source's drive does not matter here, so it is checked as if it came from the
      // root.
      await checkTreePathLimits(tx, entry, ROOT_PATH, targetPath);
      const target = await this.#parts.directories.getOrCreate(tx, actor, targetPath);
      const place = placeFor(entry, target, targetPath);
      const sourcePath = actor.driveId === source.driveId ? childOf(parentPath, original.name) : undefined;
      const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict, sourcePath);
      const root = await this.#parts.copies.copy(tx, actor, entry, { parentId: target.id, name });
      const imported = { entry: root, parentPath: targetPath };
      await this.#parts.entryEvents.recordCreated(tx, actor, [imported]);
      // Within one drive no hook is needed: metadata found for a file is also written to its copies.
      if (actor.driveId !== source.driveId) {
        await runHooksForUndescribed(tx, this.#parts.entryEvents, root.id);
      }
      return imported;
    };
    return this.#parts.drives.withDriveLock(
      actor,
      0,
      copy,
      longIfReplacing(onConflict, changesManyEntries(source.entryId)),
    );
  }

  /**
   * Creates a file that refers to an existing blob. No bytes are copied.
   * @throws Failure `conflict` as {@link NameConflicts.resolve}; `over-limit`; `invalid` if the path is too
   *   long or too deep
   */
  importBlob(
    actor: Actor,
    source: {
      readonly blobId: number;
      readonly name: FileName;
      readonly size: number;
      readonly contentType: string | null;
    },
    { targetPath, onConflict }: ImportTarget,
  ): Promise<EntryWithPath> {
    const { driveId } = actor;
    const { blobId, size } = source;
    const create = async (tx: Tx) => {
      checkPathLimits(targetPath, source.name);
      const directory = await this.#parts.directories.getOrCreate(tx, actor, targetPath);
      const place = { directory, directoryPath: targetPath, name: source.name };
      const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict);
      // A replaced file has already released its bytes.
      await this.#parts.drives.usage.charge(tx, driveId, { bytes: size, files: 1, entries: 1 });
      await this.#parts.blobs.addReference(tx, blobId);
      await this.#parts.contentSearch.add(tx, blobId);
      const contentType = contentTypeFor(name, source.contentType);
      const file = { driveId, parentId: directory.id, name, isDirectory: false, blobId, size, contentType };
      return {
        entry: await this.#parts.directories.addEntry(tx, actor, file, targetPath),
        parentPath: targetPath,
      };
    };
    return this.#parts.drives.withDriveLock(
      actor,
      0,
      create,
      longIfReplacing(onConflict, async () => false),
    );
  }
}

/** @throws Failure `not-found` */
async function getSource(tx: Tx, { driveId, entryId, name }: ImportSource): Promise<EntryWithPath> {
  const [entry] = name === undefined ? [] : await findLiveEntries(tx, [entryId]);
  const isRoot = entry?.driveId === driveId && entry.parentId === null;
  return isRoot ? { entry, parentPath: ROOT_PATH } : getEntryWithPath(tx, driveId, entryId);
}

/** @throws Failure `rejected` */
async function checkNotIntoItself(tx: Tx, entry: Entry, path: LogicalPath): Promise<void> {
  const chain = await walkPath(tx, entry.driveId, segmentsOf(path));
  if (chain.some((directory) => directory.id === entry.id)) {
    throw new Failure('rejected', 'A directory cannot be put into itself or below itself.');
  }
}
