import { DAY, type Instant } from '../../base/clock.ts';
import type { LogicalPath } from '../../base/text/logical-path.ts';
import type { Database } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { countByDay, findTimeline, type TimelinePlace } from './queries.ts';

/** A picture or video with its path. */
export interface TakenFile {
  readonly entry: Entry;
  readonly parentPath: LogicalPath;
  /** Null if it is unknown; then the file is in the timeline where its content was modified. */
  readonly takenAt: Instant | null;
}

export interface TimelinePage {
  readonly items: readonly TakenFile[];
  /** The place of the last file of the page; undefined if no file follows. */
  readonly last: TimelinePlace | undefined;
}

export interface MonthCount {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly count: number;
}

/**
 * The pictures and videos of a drive by the time at which they were taken, else modified, newest first. A time
 * without a zone counts as UTC, both for the order and for the month.
 */
export class Timeline {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** @param before begins after this place; by default at the newest file */
  async list(ownerId: number, before: TimelinePlace | undefined, size: number): Promise<TimelinePage> {
    const { db } = this.#database;
    // One more tells whether there are more.
    const found = await findTimeline(db, ownerId, { before, maxEntries: size + 1 });
    const page = found.slice(0, size);
    const taken = new Map(page.map(({ entry, takenAt }) => [entry.id, takenAt]));
    const placed = await resolvePaths(
      db,
      page.map(({ entry }) => entry),
    );
    const items = placed.map((each) => ({ ...each, takenAt: taken.get(each.entry.id) ?? null }));
    const last = found.length > size ? page.at(-1) : undefined;
    return { items, last: last && { at: last.takenAt ?? last.entry.modifiedAt, id: last.entry.id } };
  }

  /** The months in which there are files, newest first. */
  async countByMonth(ownerId: number, signal?: AbortSignal): Promise<readonly MonthCount[]> {
    const days = await this.#database.readBySize(isLargeDatabase, (db) => countByDay(db, ownerId), signal);
    const counts = new Map<string, number>();
    for (const { day, count } of days.toSorted((a, b) => b.day - a.day)) {
      const month = new Date(day * DAY).toISOString().replace(/-\d\dT.*$/, '');
      counts.set(month, (counts.get(month) ?? 0) + count);
    }
    return [...counts].map(([month, count]) => ({ month, count }));
  }
}
