// Lists the entries below a directory of the drive.
import { type EntryRecord, type Holdall, NotFoundError } from '../../../../client/src/client.ts';
import { forEachConcurrently } from '../../files/for-each-concurrently.ts';
import type { RemotePaths } from '../rules/remote-paths.ts';

const PAGE_SIZE = 1_000;
const CONCURRENCY = 8;

/** How often a directory with several pages is listed again because it changed meanwhile. */
const MAX_ATTEMPTS = 5;

export class RemoteListing {
  readonly #parts: { readonly holdall: Holdall; readonly signal: AbortSignal };
  readonly #paths: RemotePaths;

  constructor(parts: { readonly holdall: Holdall; readonly signal: AbortSignal }, paths: RemotePaths) {
    this.#parts = parts;
    this.#paths = paths;
  }

  /**
   * Everything below a directory; nothing if there is no root.
   * @returns undefined if a directory has disappeared meanwhile
   */
  async listTree(top: string): Promise<ReadonlyMap<string, EntryRecord> | undefined> {
    const found = new Map<string, EntryRecord>();
    let hasLost = false;
    for (let level: readonly string[] = [top]; level.length > 0; ) {
      const next: string[] = [];
      await forEachConcurrently(level, CONCURRENCY, async (directory) => {
        const records = await this.#listDirectory(directory);
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
    return hasLost ? undefined : found;
  }

  /**
   * A directory with several pages is listed until two listings are equal: an entry that disappears moves the
   * others to other pages, where they would be missed. Undefined if it does not exist.
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
