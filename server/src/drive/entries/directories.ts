import type { Clock } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import type { FileName } from '../../base/text/names/file-name.ts';
import { childOf, type LogicalPath, ROOT_PATH, segmentsOf } from '../../base/text/names/logical-path.ts';
import type { Tx } from '../../database/database.ts';
import type { Drives } from '../../drives/drives.ts';
import { type Actor, type Entry, type EntryWithPath, systemIn } from './entry.ts';
import type { EntryEvents } from './entry-events.ts';
import { adjustChildCount, insertEntry, type NewEntry } from './entry-queries.ts';
import { walkPath } from './path-walk-queries.ts';

interface DirectoriesParts {
  readonly drives: Drives;
  readonly clock: Clock;
  readonly entryEvents: EntryEvents;
}

/**
 * Adds entries to directories. All methods need a transaction that has locked the drive. They charge
 * the directories that they create; the caller of {@link Directories.addEntry} charges that entry.
 */
export class Directories {
  readonly #parts: DirectoriesParts;

  constructor(parts: DirectoriesParts) {
    this.#parts = parts;
  }

  /** Creates the root of a drive, and its first directories. */
  async createRoot(tx: Tx, driveId: number, names: readonly FileName[]): Promise<void> {
    const root = await insertEntry(
      tx,
      { ...directoryOf(driveId, null, ''), changedBy: null },
      this.#parts.clock.now(),
    );
    if (root === undefined) throw new Error(`The drive ${driveId} has a root already.`);
    await this.#charge(tx, driveId, names.length);
    for (const name of names) {
      await this.addEntry(tx, systemIn(driveId), directoryOf(driveId, root.id, name), ROOT_PATH);
    }
  }

  /**
   * The directory at that path. Creates the missing directories.
   * @throws Failure `conflict` if a segment of the path is a file; `over-limit` if there are too many entries
   */
  async getOrCreate(tx: Tx, actor: Actor, path: LogicalPath): Promise<Entry> {
    return (await this.#descend(tx, actor, path)).directory;
  }

  /**
   * Creates a directory and its missing parents.
   * @throws Failure `conflict` if the path exists or a segment of it is a file; `over-limit` if there are too
   *   many entries
   */
  async create(tx: Tx, actor: Actor, path: LogicalPath): Promise<EntryWithPath> {
    const { directory, parentPath, isNew } = await this.#descend(tx, actor, path);
    if (!isNew) throw nameTaken(directory.name);
    return { entry: directory, parentPath };
  }

  /**
   * Inserts an entry into a directory, records the event and runs the hooks for new files.
   * @throws Failure `conflict` if the name is taken
   */
  async addEntry(
    tx: Tx,
    actor: Actor,
    added: Omit<NewEntry, 'changedBy'> & { parentId: number },
    parentPath: LogicalPath,
  ): Promise<Entry> {
    const entry = await insertEntry(tx, { ...added, changedBy: actor.accountId }, this.#parts.clock.now());
    if (entry === undefined) throw nameTaken(added.name);
    await adjustChildCount(tx, added.parentId, 1);
    await this.#parts.entryEvents.recordCreated(tx, actor, [{ entry, parentPath }]);
    if (!entry.isDirectory) await this.#parts.entryEvents.runFilesAdded(tx, [{ entry, parentPath }]);
    return entry;
  }

  async #descend(tx: Tx, actor: Actor, path: LogicalPath) {
    const names = segmentsOf(path);
    const chain = await walkPath(tx, actor.driveId, names);
    let directory = chain.at(-1);
    if (directory === undefined) throw new Error(`The drive ${actor.driveId} has no root.`);
    const missing = names.slice(chain.length - 1);
    if (!directory.isDirectory) throw nameTaken(directory.name);
    await this.#charge(tx, actor.driveId, missing.length);
    // Each new directory gets an event, so that a client that follows the events builds the same tree.
    for (const [index, name] of missing.entries()) {
      const parentPath = pathOf(names.slice(0, chain.length - 1 + index));
      directory = await this.addEntry(tx, actor, directoryOf(actor.driveId, directory.id, name), parentPath);
    }
    return { directory, parentPath: pathOf(names.slice(0, -1)), isNew: missing.length > 0 };
  }

  async #charge(tx: Tx, driveId: number, directories: number): Promise<void> {
    if (directories === 0) return;
    await this.#parts.drives.usage.charge(tx, driveId, { bytes: 0, files: 0, entries: directories });
  }
}

/** Does not check the length: a restored entry may have a longer path than a caller may send. */
function pathOf(names: readonly FileName[]): LogicalPath {
  return names.reduce(childOf, ROOT_PATH);
}

export function nameTaken(name: string): Failure {
  return new Failure('conflict', `There is already something named "${name}" here.`);
}

function directoryOf<P extends number | null>(driveId: number, parentId: P, name: FileName | '') {
  return { driveId, parentId, name, isDirectory: true, blobId: null, size: 0, contentType: null };
}
