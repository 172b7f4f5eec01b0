import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import { type LogicalPath, ROOT_PATH } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { getDirectory, getEntryWithPath } from '../entries/live-entries.ts';
import { changesManyEntries, longIfReplacing } from '../entries/long-work.ts';
import type { Recycle } from '../entries/name-conflicts.ts';
import { type Place, placeFor } from '../entries/place.ts';
import { runHooksForUndescribed } from '../metadata/undescribed-media.ts';
import type { Copies } from './copies.ts';
import type { Placement } from './placement.ts';
import type { Tree } from './tree.ts';

/** An existing directory in a drive of the actor's account. */
interface DirectoryInDrive {
  readonly driveId: number;
  readonly path: LogicalPath;
  readonly onConflict: ConflictRule;
}

interface BetweenDrivesParts {
  readonly drives: Drives;
  readonly tree: Tree;
  readonly placement: Placement;
  readonly copies: Copies;
  readonly entryEvents: EntryEvents;
  readonly recycle: Recycle;
}

/**
 * Copies and moves entries from one drive into another. The copies refer to the same stored objects: no bytes
 * are copied. Each operation is one transaction. A move locks both drives, a copy only the target.
 */
export class BetweenDrives {
  readonly #parts: BetweenDrivesParts;

  constructor(parts: BetweenDrivesParts) {
    this.#parts = parts;
  }

  /**
   * Copies an entry, with everything below it, into a directory of another drive. If the target is the drive
   * of the actor, this is a plain copy.
   * @throws Failure `not-found` if the entry, the directory or the drive does not exist, or if the account is
   *   not a member; `forbidden` if its role is too low; otherwise as `Tree.copy`
   */
  copy(actor: Actor, id: number, target: DirectoryInDrive): Promise<EntryWithPath> {
    const { path, onConflict } = target;
    const to: Actor = { ...actor, driveId: target.driveId, needs: 'EDITOR' };
    if (actor.driveId === target.driveId) return this.#parts.tree.copy(to, id, path, onConflict);
    const from: Actor = { ...actor, needs: 'VIEWER' };
    const { work, isLong } = toPut({ from, to }, id, target, (tx, source, place) =>
      this.#parts.placement.copy(tx, to, source, place, onConflict),
    );
    return this.#parts.drives.withTargetLock({ from, to }, work, isLong);
  }

  /**
   * Moves an entry, with everything below it, into a directory of another drive, as
   * {@link Placement.moveToDrive}. If the target is the drive of the actor, this is a plain move.
   * @throws Failure as {@link copy}
   */
  move(actor: Actor, id: number, target: DirectoryInDrive): Promise<EntryWithPath> {
    const { path, onConflict } = target;
    const from: Actor = { ...actor, needs: 'EDITOR' };
    if (actor.driveId === target.driveId) return this.#parts.tree.move(from, id, path, onConflict);
    const to: Actor = { ...from, driveId: target.driveId };
    const { work, isLong } = toPut({ from, to }, id, target, (tx, source, place) =>
      this.#parts.placement.moveToDrive(tx, { from, to }, source, place, onConflict),
    );
    return this.#parts.drives.withTwoDriveLocks([from, to], work, isLong);
  }

  /**
   * Gives an empty drive the content of a directory, and moves the directory to the bin. No events are
   * recorded in the new drive, because no one can follow it yet.
   *
   * Runs in the transaction that inserts the drive and its root, so either all of this happens or nothing.
   * The transaction has locked the drive of the actor; pass {@link isLongMove} to `Drives.withDriveLock`.
   *
   * @param move.fileId the directory, in the drive of the actor
   * @param move.driveId the new drive
   * @throws Failure `not-found` if the directory does not exist; `rejected` if it is a file; `over-limit` if
   *   its content exceeds the limits of the new drive, or has too many entries for one copy
   */
  async moveIntoNewDrive(
    tx: Tx,
    { actor, fileId, driveId }: { readonly actor: Actor; readonly fileId: number; readonly driveId: number },
  ): Promise<void> {
    const moved = await getEntryWithPath(tx, actor.driveId, fileId);
    if (!moved.entry.isDirectory) throw new Failure('rejected', 'This is not a directory.');
    const root = await getDirectory(tx, driveId, ROOT_PATH);
    if (root.childCount > 0) throw new Error(`The drive ${driveId} is not empty.`);
    await this.#parts.copies.copyBelow(tx, moved.entry, root, actor.accountId);
    await runHooksForUndescribed(tx, this.#parts.entryEvents, root.id);
    await this.#parts.recycle(tx, actor, moved);
  }

  /** Whether {@link moveIntoNewDrive} changes so many entries that it must run on a thread. */
  isLongMove(fileId: number): (tx: Tx) => Promise<boolean> {
    return changesManyEntries(fileId);
  }
}

/** The transaction of a copy or a move, and whether it changes so many entries that it must run on a thread. */
function toPut(
  { from, to }: { readonly from: Actor; readonly to: Actor },
  id: number,
  { path, onConflict }: DirectoryInDrive,
  put: (tx: Tx, source: EntryWithPath, place: Place) => Promise<Entry>,
) {
  const work = async (tx: Tx): Promise<EntryWithPath> => {
    const source = await getEntryWithPath(tx, from.driveId, id);
    const directory = await getDirectory(tx, to.driveId, path);
    const entry = await put(tx, source, placeFor(source.entry, directory, path));
    return { entry, parentPath: path };
  };
  return { work, isLong: longIfReplacing(onConflict, changesManyEntries(id)) };
}
