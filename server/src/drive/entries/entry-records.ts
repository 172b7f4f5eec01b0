import { toTimestamp } from '../../base/dates.ts';
import type { Page } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database } from '../../database/database.ts';
import { thumbnailVersionOf } from '../../thumbnails/thumbnails.ts';
import type { EntryFacts, EntryRecord } from '../contract.ts';
import type { Entry, EntryWithPath } from './entry.ts';
import { findMemberFacts, type MemberFacts } from './entry-records-queries.ts';

/** Who gets the records. */
interface Viewer {
  readonly accountId: number;
  /** The viewer's personal drive. */
  readonly driveId: number;
}

/**
 * Builds the records of entries for those who may use their drive. Entries of shared drives take one more
 * query per answer, for what depends on accounts.
 */
export class EntryRecords {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async toRecord(viewer: Viewer, entry: EntryWithPath): Promise<EntryRecord> {
    return toRecord(viewer, entry, await this.#findFacts(viewer, [entry]));
  }

  /** The records, in the same order. @param more additional members of a record */
  async toRecords<T extends EntryWithPath, More extends object>(
    viewer: Viewer,
    entries: readonly T[],
    more: (entry: T) => More,
  ): Promise<(EntryRecord & More)[]> {
    const facts = await this.#findFacts(viewer, entries);
    return entries.map((entry) => ({ ...toRecord(viewer, entry, facts), ...more(entry) }));
  }

  async toPage(viewer: Viewer, page: Page<EntryWithPath>) {
    const facts = await this.#findFacts(viewer, page.items);
    return { ...page, items: page.items.map((entry) => toRecord(viewer, entry, facts)) };
  }

  async #findFacts(viewer: Viewer, entries: readonly EntryWithPath[]): Promise<Facts> {
    const ids = entries.flatMap(({ entry }) => (isShared(viewer, entry) ? [entry.id] : []));
    if (ids.length === 0) return new Map();
    return await findMemberFacts(this.#database.db, viewer.accountId, ids);
  }
}

/** Of an entry that was purged after it was read. */
const NOTHING_KNOWN: MemberFacts = { changedBy: null, starred: false };

type Facts = ReadonlyMap<number, MemberFacts>;

/** Nobody else may use a personal drive, so any other drive is a shared one. */
function isShared(viewer: Viewer, { driveId }: Entry): boolean {
  return driveId !== viewer.driveId;
}

function toRecord(viewer: Viewer, placed: EntryWithPath, facts: Facts): EntryRecord {
  const { entry } = placed;
  const record = { ...toFacts(placed), driveId: entry.driveId, starred: entry.isStarred };
  if (!isShared(viewer, entry)) return record;
  return { ...record, ...(facts.get(entry.id) ?? NOTHING_KNOWN) };
}

/** What everyone sees who sees an entry. */
export function toFacts({ entry, parentPath }: EntryWithPath): EntryFacts {
  return {
    id: entry.id,
    filename: entry.name,
    path: childOf(parentPath, entry.name),
    parentPath,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(entry.createdAt),
    updatedAt: toTimestamp(entry.updatedAt),
    modifiedAt: toTimestamp(entry.modifiedAt),
    thumbnailVersion: thumbnailVersionOf(entry),
  };
}
