// Lists the entries below a directory of the drive.
import { type EntryRecord, type Holdall, NotFoundError } from '../../../../client/src/client.ts';
import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import type { RemotePaths } from '../rules/remote-paths.ts';
import type { PairDrive } from './pair-drive.ts';

const PAGE_SIZE = 1_000;
const CONCURRENCY = 8;

/** How many times a directory with several pages is listed at most, because it keeps changing. */
const MAX_ATTEMPTS = 5;

interface RemoteListingParts {
  readonly holdall: Holdall;
  readonly drive: PairDrive | undefined;
  readonly signal: AbortSignal;
}

export class RemoteListing {
  readonly #parts: RemoteListingParts;
  readonly #paths: RemotePaths;

  constructor(parts: RemoteListingParts, paths: RemotePaths) {
    this.#parts = parts;
    this.#paths = paths;
  }

  /**
   * Lists everything below a directory. The result is empty if the root does not exist.
   * @returns undefined if a directory has disappeared meanwhile
   * @throws VanishedDrive; HoldallError
   */
  async listTree(top: string): Promise<ReadonlyMap<string, EntryRecord> | undefined> {
    const found = new Map<string, EntryRecord>();
    let hasLost = false;
    let isAnyMissing = false;
    for (let level: readonly string[] = [top]; level.length > 0; ) {
      const next: string[] = [];
      await forEachConcurrently(level, CONCURRENCY, async (directory) => {
        const records = await this.#listDirectory(directory);
        isAnyMissing ||= records === undefined;
        hasLost ||= records === undefined && directory !== '';
        for (const record of records ?? []) {
          const path = this.#paths.toRelative(record.path);
          if (path === undefined) continue;
          found.set(path, record);
          if (record.directory) next.push(path);
        }
      });
      level = next;
    }
    if (isAnyMissing) await this.#parts.drive?.refresh();
    return hasLost ? undefined : found;
  }

  /**
   * Lists a directory; undefined if it does not exist. If it has several pages, it is listed until two
   * listings are equal: an entry that disappears shifts others to pages that were already read, so they would
   * be missed.
   */
  async #listDirectory(directory: string): Promise<readonly EntryRecord[] | undefined> {
    let before: string | undefined;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const records = await this.#readPages(directory);
      if (records === undefined || records.length < PAGE_SIZE) return records;
      const ids = records.map(({ id }) => id).join();
      if (ids === before) return records;
      before = ids;
    }
    throw tooBusy(this.#paths.toAbsolute(directory));
  }

  async #readPages(directory: string): Promise<readonly EntryRecord[] | undefined> {
    const { holdall, signal } = this.#parts;
    const options = { pageSize: PAGE_SIZE, sort: 'name', signal } as const;
    try {
      return await holdall.drive.list(this.#paths.toAbsolute(directory), options).toArray();
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    }
  }
}

/** @param path an absolute path of the drive */
export function tooBusy(path: string): Error {
  return new Error(`${path} changes too often to be listed. Try again later.`);
}
