import { toTimestamp } from '../../base/dates.ts';
import type { Page } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database } from '../../database/database.ts';
import { thumbnailVersionOf } from '../../thumbnails/thumbnails.ts';
import type { EntryRecord } from '../contract.ts';
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
    const shared = entries.filter(({ entry }) => isShared(viewer, entry));
    if (shared.length === 0) return NO_FACTS;
    const ids = shared.map(({ entry }) => entry.id);
    return await findMemberFacts(this.#database.db, viewer.accountId, ids);
  }
}

/** Of an entry that was purged after it was read. */
const NOTHING_KNOWN: MemberFacts = { changedBy: null, starred: false };

type Facts = ReadonlyMap<number, MemberFacts>;

const NO_FACTS: Facts = new Map();

/** Nobody else may use a personal drive, so any other drive is a shared one. */
function isShared(viewer: Viewer, { driveId }: Entry): boolean {
  return driveId !== viewer.driveId;
}

function toRecord(viewer: Viewer, placed: EntryWithPath, facts: Facts): EntryRecord {
  const record = toPersonalRecord(placed);
  if (!isShared(viewer, placed.entry)) return record;
  return { ...record, ...(facts.get(record.id) ?? NOTHING_KNOWN) };
}

/** The record of an entry in a personal drive, as its owner sees it. */
export function toPersonalRecord({ entry, parentPath }: EntryWithPath): EntryRecord {
  return {
    id: entry.id,
    driveId: entry.driveId,
    filename: entry.name,
    path: childOf(parentPath, entry.name),
    parentPath,
    size: entry.size,
    contentType: entry.contentType,
    directory: entry.isDirectory,
    createdAt: toTimestamp(entry.createdAt),
    updatedAt: toTimestamp(entry.updatedAt),
    modifiedAt: toTimestamp(entry.modifiedAt),
    starred: entry.isStarred,
    thumbnailVersion: thumbnailVersionOf(entry),
  };
}
