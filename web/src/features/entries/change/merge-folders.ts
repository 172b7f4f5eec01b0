import type { ConflictRule, EntryRecord } from '../../../../../client/src/client.ts';
import { SerialQueue } from '../../../../../client/src/common/serial-queue.ts';
import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { ask } from '../../../api/ask.ts';
import { newerCursor, newestCursor } from '../../../api/drive-cursor.ts';
import { mapConcurrently } from '../../../common/timing/map-concurrently.ts';
import { type ConflictDecisions, isNameConflict, Skipped } from '../conflicts/conflict-decisions.ts';
import { conflictIn } from '../conflicts/conflict-questions.ts';
import type { DirectoryPlace } from '../find-entry.ts';
import { inTurn, MAX_CONCURRENT } from '../in-turn.ts';

const PAGE_SIZE = 1_000;

/** How often an empty folder is tried to recycle while the drive is changing. */
const MAX_TRIES = 5;

interface FolderMerge {
  readonly how: 'copy' | 'move';
  /** Copies or moves an entry into a directory. */
  readonly put: (entry: EntryRecord, target: DirectoryPlace, rule: ConflictRule) => Promise<unknown>;
  /** Decides about the conflicts in the folder. */
  readonly decisions: ConflictDecisions;
  readonly progress: MergeProgress;
}

/** Counts the entries of merged folders. */
export interface MergeProgress {
  readonly expect: (count: number) => void;
  readonly settle: () => void;
}

/** Folders are walked one after another, so few listings are in memory. */
const walks = new SerialQueue();

/**
 * Merges a folder into an existing one, entry by entry. Each entry is one change of the service, so it is
 * always in exactly one of both places, and an interrupted merge can be repeated.
 * @throws Skipped if the user skipped everything
 */
export async function mergeFolder(
  folder: EntryRecord,
  into: DirectoryPlace,
  merge: FolderMerge,
): Promise<void> {
  const merging = new Merging(merge);
  await walks.run(() => merging.walk(folder, into));
  await merging.end();
}

/** One merge. Taken names wait for the user, while the walk goes on. */
class Merging {
  readonly #merge: FolderMerge;
  readonly #conflicts: Promise<void>[] = [];
  /** Each after those that contain it. */
  readonly #folders: EntryRecord[] = [];
  #done = 0;
  #skipped = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(merge: FolderMerge) {
    this.#merge = merge;
  }

  async walk(folder: EntryRecord, into: DirectoryPlace): Promise<void> {
    this.#folders.push(folder);
    try {
      const children = await listAll(folder);
      this.#merge.progress.expect(children.length);
      const existing = await mapConcurrently(children, MAX_CONCURRENT, (child) => this.#put(child, into));
      for (const [index, child] of children.entries()) {
        const directory = existing[index]?.path;
        if (directory !== undefined) await this.walk(child, { drive: into.drive, directory });
      }
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  /** Returns the folder that the child has to be merged into, if there is one. Does not throw. */
  async #put(child: EntryRecord, into: DirectoryPlace): Promise<EntryRecord | undefined> {
    const { put, decisions, progress } = this.#merge;
    const act = (rule: ConflictRule) => inTurn(() => put(child, into, rule));
    const conflict = conflictIn(into, child);
    let found: { readonly existing: EntryRecord | undefined } | undefined;
    await this.#settle(async () => {
      try {
        await act('FAIL');
        this.#done += 1;
      } catch (error) {
        if (!isNameConflict(error)) throw error;
        found = { existing: await decisions.find(conflict) };
      }
    });
    const existing = found?.existing;
    if (found !== undefined && !(child.directory && existing?.directory === true)) {
      const resolved = this.#settle(async () => {
        await decisions.resolve(conflict, existing, act);
        this.#done += 1;
      });
      this.#conflicts.push(resolved.then(progress.settle));
      return undefined;
    }
    progress.settle();
    return existing;
  }

  async end(): Promise<void> {
    await Promise.all(this.#conflicts);
    if (this.#merge.how === 'move') await recycleEmpty(this.#folders.reverse());
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#done === 0 && this.#skipped > 0) throw new Skipped();
  }

  async #settle(change: () => Promise<void>): Promise<void> {
    try {
      await change();
    } catch (error) {
      if (error instanceof Skipped) this.#skipped += 1;
      else this.#failure ??= { error };
    }
  }
}

async function listAll({ driveId: drive, path }: EntryRecord): Promise<readonly EntryRecord[]> {
  const entries: EntryRecord[] = [];
  for (let page = 0; ; page += 1) {
    const query = { path, page, size: PAGE_SIZE, sort: 'name' as const };
    const { items } = await inTurn(() => ask('GET /api/files/list', { query, drive }));
    entries.push(...items);
    if (items.length < PAGE_SIZE) return entries;
  }
}

/**
 * Recycles the folders of a drive that are empty, in this order. A folder also stays if the drive does not
 * come to rest, because others may have saved something in it since it was listed.
 */
async function recycleEmpty(folders: readonly EntryRecord[]): Promise<void> {
  const [first] = folders;
  if (first === undefined) return;
  let cursor = await newestCursor(first.driveId);
  for (const { id: fileId, driveId: drive, path } of folders) {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      cursor = await newerCursor(drive, cursor);
      const { items } = await ask('GET /api/files/list', { query: { path, size: 1 }, drive });
      if (items.length > 0) break;
      try {
        await ask('DELETE /api/files/{fileId}', { path: { fileId }, query: { cursor }, drive });
        break;
      } catch (error) {
        if (!(error instanceof HoldallError && error.status === 412)) throw error;
      }
    }
  }
}
