import type { Clock, Instant } from '../../base/clock.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import {
  checkPathLimits,
  childOf,
  type LogicalPath,
  segmentsOf,
} from '../../base/text/names/logical-path.ts';
import type { Db, Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Directories } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { placeEntry, setModifiedAt } from '../entries/entry-queries.ts';
import type { NameConflicts, Recycle } from '../entries/name-conflicts.ts';
import { checkTreeDepth, checkTreePathLimits } from '../entries/path-limits.ts';
import { walkPath } from '../entries/path-walk-queries.ts';
import type { Place } from '../entries/place.ts';
import { isLargeTree } from '../entries/subtree-queries.ts';
import { runHooksForUndescribed } from '../metadata/undescribed-media.ts';
import type { Copies } from './copies.ts';

interface PlacementParts {
  readonly drives: Drives;
  readonly copies: Copies;
  readonly conflicts: NameConflicts;
  readonly recycle: Recycle;
  readonly directories: Directories;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * Creates, copies and moves entries to a given place, within the caller's transaction. WebDAV uses it to
 * check locks in the same transaction. Methods that take a `tx` need a transaction that has locked the drive.
 */
export class Placement {
  readonly #parts: PlacementParts;

  constructor(parts: PlacementParts) {
    this.#parts = parts;
  }

  /**
   * Follows a path from the root of the drive as far as it exists. Returns the root first, then one entry for
   * each segment that was found.
   */
  findChain(db: Db, driveId: number, path: LogicalPath): Promise<readonly Entry[]> {
    return walkPath(db, driveId, segmentsOf(path));
  }

  /** Whether there are more than `maxEntries` entries at and below an entry. Takes little time. */
  isLargeTree(db: Db, entryId: number, maxEntries: number): Promise<boolean> {
    return isLargeTree(db, entryId, maxEntries);
  }

  /**
   * @throws Failure `conflict` if the name is taken; `over-limit`; `invalid` if the path is too long or too
   *   deep
   */
  async makeDirectory(tx: Tx, actor: Actor, { directory, directoryPath, name }: Place): Promise<Entry> {
    checkPathLimits(directoryPath, name);
    await this.#parts.drives.usage.charge(tx, actor.driveId, { bytes: 0, files: 0, entries: 1 });
    const added = {
      driveId: actor.driveId,
      parentId: directory.id,
      name,
      isDirectory: true,
      blobId: null,
      size: 0,
      contentType: null,
    };
    return await this.#parts.directories.addEntry(tx, actor, added, directoryPath);
  }

  /**
   * Copies an entry, with everything below it, to a place in the drive of the actor. The entry may be in
   * another drive, which need not be locked. The caller has checked that the place is not below
   * the entry.
   * @throws Failure `conflict` or `rejected` as {@link NameConflicts.resolve}; `over-limit`; `invalid` if the
   *   copy would be too deep
   */
  async copy(
    tx: Tx,
    actor: Actor,
    { entry, parentPath }: EntryWithPath,
    place: Place,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<Entry> {
    const { directory, directoryPath } = place;
    const isSameDrive = entry.driveId === actor.driveId;
    const sourcePath = isSameDrive ? childOf(parentPath, entry.name) : undefined;
    const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict, sourcePath);
    await checkTreePathLimits(tx, { ...entry, name }, parentPath, directoryPath);
    const copy = await this.#parts.copies.copy(tx, actor, entry, { parentId: directory.id, name });
    // The original may have become deeper meanwhile.
    if (!isSameDrive) await checkTreeDepth(tx, copy, directoryPath);
    await this.#parts.entryEvents.recordCreated(tx, actor, [{ entry: copy, parentPath: directoryPath }]);
    if (!isSameDrive) await runHooksForUndescribed(tx, this.#parts.entryEvents, copy.id);
    return copy;
  }

  /**
   * Moves an entry, with everything below it, to a place in another drive. The place gets a copy with new
   * ids. The entry itself moves to the bin of its drive, where its versions, shares and links stay with it.
   * The caller has locked both drives.
   * @throws Failure as {@link copy}
   */
  async moveToDrive(
    tx: Tx,
    { from, to }: { readonly from: Actor; readonly to: Actor },
    moved: EntryWithPath,
    place: Place,
    onConflict: ConflictRule,
  ): Promise<Entry> {
    const copy = await this.copy(tx, to, moved, place, onConflict);
    await this.#parts.recycle(tx, from, moved);
    return copy;
  }

  /**
   * Moves an entry, with everything below it, to a place. The caller has checked that the place is not below
   * the entry.
   * @throws Failure `conflict` or `rejected` as {@link NameConflicts.resolve}; `invalid` if an entry would be
   *   too deep
   */
  async move(
    tx: Tx,
    actor: Actor,
    { entry, parentPath }: EntryWithPath,
    place: Place,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<EntryWithPath> {
    const { directory, directoryPath } = place;
    const { id, parentId: fromId } = entry;
    if (fromId === null) throw new Failure('rejected', 'The root directory cannot be moved.');
    const sourcePath = childOf(parentPath, entry.name);
    const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict, sourcePath);
    const now = this.#parts.clock.now();
    const moved = {
      entry: { ...entry, parentId: directory.id, name, updatedAt: now, changedBy: actor.accountId },
      parentPath: directoryPath,
    };
    await checkTreePathLimits(tx, moved.entry, parentPath, directoryPath);
    await placeEntry(tx, { id, fromId, toId: directory.id, name }, { accountId: actor.accountId, now });
    await this.#parts.entryEvents.record(tx, actor, {
      eventType: fromId === directory.id ? 'RENAMED' : 'MOVED',
      entry: moved,
      from: sourcePath,
      to: childOf(directoryPath, name),
    });
    return moved;
  }

  /** Sets when the content of a file was last modified on the client. */
  async setModifiedAt(tx: Tx, actor: Actor, file: EntryWithPath, modifiedAt: Instant): Promise<void> {
    const change = { accountId: actor.accountId, now: this.#parts.clock.now() };
    await setModifiedAt(tx, file.entry.id, modifiedAt, change);
    await this.#parts.entryEvents.recordUpdated(tx, actor, [file]);
  }
}
