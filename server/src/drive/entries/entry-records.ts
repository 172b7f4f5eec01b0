import { toTimestamp } from '../../base/dates.ts';
import type { Page } from '../../base/page.ts';
import { childOf } from '../../base/text/names/logical-path.ts';
import type { Database } from '../../database/database.ts';
import { thumbnailVersionOf } from '../../thumbnails/thumbnails.ts';
import type { EntryRecord } from '../contract.ts';
import type { Entry, EntryWithPath } from './entry.ts';
import { type ChangedBy, findChangedBy, findStarred } from './entry-records-queries.ts';

/** Who gets the records. */
interface Viewer {
  readonly accountId: number;
  /** The viewer's personal drive. */
  readonly driveId: number;
}

/**
 * Builds the records of entries for those who may use their drive. Those of shared drives take one more query
 * per answer for the accounts that changed the entries, and one if there are stars.
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
    return entries.map((entry) => Object.assign(toRecord(viewer, entry, facts), more(entry)));
  }

  async toPage(viewer: Viewer, page: Page<EntryWithPath>) {
    const facts = await this.#findFacts(viewer, page.items);
    return { ...page, items: page.items.map((entry) => toRecord(viewer, entry, facts)) };
  }

  async #findFacts(viewer: Viewer, entries: readonly EntryWithPath[]): Promise<SharedFacts> {
    const accountIds = new Set<number>();
    const starredByAnyone: number[] = [];
    for (const { entry } of entries) {
      if (!isShared(viewer, entry)) continue;
      if (entry.changedBy !== null) accountIds.add(entry.changedBy);
      if (entry.isStarred) starredByAnyone.push(entry.id);
    }
    const { db } = this.#database;
    return {
      accounts: await findChangedBy(db, [...accountIds]),
      starred: await findStarred(db, viewer.accountId, starredByAnyone),
    };
  }
}

/** What the records of entries in shared drives say about accounts. */
interface SharedFacts {
  readonly accounts: ReadonlyMap<number, ChangedBy>;
  /** The ids of the entries that the viewer has marked with a star. */
  readonly starred: ReadonlySet<number>;
}

/** Nobody else may use a personal drive, so any other drive is a shared one. */
function isShared(viewer: Viewer, { driveId }: Entry): boolean {
  return driveId !== viewer.driveId;
}

function toRecord(viewer: Viewer, placed: EntryWithPath, { accounts, starred }: SharedFacts): EntryRecord {
  const record = toPersonalRecord(placed);
  const { entry } = placed;
  if (!isShared(viewer, entry)) return record;
  record.changedBy = entry.changedBy === null ? null : (accounts.get(entry.changedBy) ?? null);
  record.starred = starred.has(entry.id);
  return record;
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
