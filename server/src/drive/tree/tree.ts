import type { Clock } from '../../base/clock.ts';
import type { ConflictRule } from '../../base/domain/conflict-rules.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { checkPathLimits, childOf, type LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import type { Directories } from '../entries/directories.ts';
import type { Actor, Entry, EntryWithPath } from '../entries/entry.ts';
import type { EntryEvents } from '../entries/entry-events.ts';
import { renameEntry } from '../entries/entry-queries.ts';
import { getDirectoryChain, getEntryWithPath } from '../entries/live-entries.ts';
import { changesManyEntries, longIfReplacing, readsManyEntries } from '../entries/long-work.ts';
import type { NameConflicts } from '../entries/name-conflicts.ts';
import { placeFor } from '../entries/place.ts';
import type { Placement } from './placement.ts';

interface TreeParts {
  readonly drives: Drives;
  readonly conflicts: NameConflicts;
  readonly placement: Placement;
  readonly directories: Directories;
  readonly entryEvents: EntryEvents;
  readonly clock: Clock;
}

/**
 * Creates directories, and renames, moves and copies entries. No operation moves bytes. Each is one
 * transaction that locks the drive.
 */
export class Tree {
  readonly #parts: TreeParts;

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  /**
   * Creates a directory and its missing parents.
   * @throws Failure `rejected` for the root; `conflict` if the path exists
   */
  makeDirectory(actor: Actor, path: LogicalPath): Promise<EntryWithPath> {
    if (path === '/') throw new Failure('rejected', 'The root directory is always there.');
    return this.#parts.drives.withDriveLock(actor, 0, (tx) =>
      this.#parts.directories.create(tx, actor, path),
    );
  }

  /**
   * @throws Failure `not-found`; `conflict` as {@link NameConflicts.resolve}; `invalid` if the path becomes
   *   too long
   */
  rename(
    actor: Actor,
    id: number,
    newName: FileName,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<EntryWithPath> {
    const rename = async (tx: Tx) => {
      const before = await getEntryWithPath(tx, actor.driveId, id);
      const { entry, parentPath } = before;
      if (entry.name === newName || entry.parentId === null) return before;
      const place = { directory: { id: entry.parentId }, directoryPath: parentPath, name: newName };
      const name = await this.#parts.conflicts.resolve(tx, actor, place, onConflict);
      checkPathLimits(parentPath, name);
      const now = this.#parts.clock.now();
      await renameEntry(tx, id, name, { accountId: actor.accountId, now });
      const after = { parentPath, entry: { ...entry, name, updatedAt: now, changedBy: actor.accountId } };
      const from = childOf(parentPath, entry.name);
      const to = childOf(parentPath, name);
      await this.#parts.entryEvents.record(tx, actor, { eventType: 'RENAMED', entry: after, from, to });
      return after;
    };
    const isLong = longIfReplacing(onConflict, async () => false);
    return this.#parts.drives.withDriveLock(actor, 0, rename, isLong);
  }

  /**
   * Moves an entry, with everything below it, into a directory.
   * @throws Failure `not-found`; `conflict` or `rejected` as {@link NameConflicts.resolve}; `rejected` if the
   *   target is the entry itself or below it; `invalid` if the entry or a descendant would be too deep
   */
  move(
    actor: Actor,
    id: number,
    targetPath: LogicalPath,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<EntryWithPath> {
    const move = async (tx: Tx) => {
      const before = await getEntryWithPath(tx, actor.driveId, id);
      const { entry } = before;
      const target = await this.#getTarget(tx, entry, targetPath);
      if (entry.parentId === target.id || entry.parentId === null) return before;
      return this.#parts.placement.move(tx, actor, before, placeFor(entry, target, targetPath), onConflict);
    };
    return this.#parts.drives.withDriveLock(
      actor,
      0,
      move,
      longIfReplacing(onConflict, readsManyEntries(id)),
    );
  }

  /**
   * Copies an entry, with everything below it, into a directory.
   * @throws Failure as {@link move}, and `over-limit` if the copy exceeds the quota
   */
  copy(
    actor: Actor,
    id: number,
    targetPath: LogicalPath,
    onConflict: ConflictRule = 'FAIL',
  ): Promise<EntryWithPath> {
    const copy = async (tx: Tx) => {
      const source = await getEntryWithPath(tx, actor.driveId, id);
      const target = await this.#getTarget(tx, source.entry, targetPath);
      const place = placeFor(source.entry, target, targetPath);
      const entry = await this.#parts.placement.copy(tx, actor, source, place, onConflict);
      return { entry, parentPath: targetPath };
    };
    return this.#parts.drives.withDriveLock(
      actor,
      0,
      copy,
      longIfReplacing(onConflict, changesManyEntries(id)),
    );
  }

  async #getTarget(tx: Tx, entry: Entry, path: LogicalPath): Promise<Entry> {
    const chain = await getDirectoryChain(tx, entry.driveId, path);
    if (chain.some((directory) => directory.id === entry.id)) {
      throw new Failure('rejected', 'A directory cannot be put into itself or below itself.');
    }
    return chain.at(-1) as Entry;
  }
}
