import { DAY } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import { isDeepPage, offsetOf, type PageRequest } from '../../base/page.ts';
import type { LogicalPath } from '../../base/text/names/logical-path.ts';
import type { Database, Db } from '../../database/database.ts';
import { resolvePaths } from '../entries/live-entries.ts';
import { isLargeDatabase } from '../entries/long-work.ts';
import { findShapes, type MediaShape, UNKNOWN_SHAPE } from '../metadata/shape-queries.ts';
import { hasExclusions } from './exclusion-queries.ts';
import {
  countByDay,
  findTimeline,
  type TimelineEntry,
  type TimelineFilter,
  type TimelinePlace,
} from './queries.ts';

/** A picture or video with its path and shape. */
interface TakenFile extends TimelineEntry {
  readonly parentPath: LogicalPath;
  readonly shape: MediaShape;
}

interface TimelinePage {
  readonly items: readonly TakenFile[];
  /** The place of the last file on this page; undefined if no more files follow. */
  readonly last: TimelinePlace | undefined;
}

/** The maximum number of months listed: a century. Earlier files appear in the timeline only. */
export const MAX_MONTHS = 1_200;

interface MonthCount {
  /** Such as `2026-11`. */
  readonly month: string;
  readonly count: number;
  /** The days on which there are files, newest first. */
  readonly days: readonly { readonly day: number; readonly count: number }[];
}

/**
 * The pictures and videos of a drive by the local time at which they were taken, newest first. So a picture
 * taken in the evening is on that day wherever the viewer is. Of two pictures, the one with the later local
 * time is newer. A time without a zone counts as the camera's local time. Files without a time are sorted by
 * their modification time in UTC. Movies that only have a UTC time are sorted by that.
 */
export class Timeline {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * @param viewer the drive, and the account whose exclusions count
   * @param before page 0 begins after this place; by default, it begins with the newest file
   */
  async list(
    viewer: AccountInDrive,
    wanted: TimelineFilter,
    before: TimelinePlace | undefined,
    page: PageRequest,
    signal?: AbortSignal,
  ): Promise<TimelinePage> {
    const filter = await this.#withExclusions(viewer, wanted);
    return await this.#database.readBySize(
      async (db) => isDeepPage(page) || (isNarrowed(filter) && (await isLargeDatabase(db))),
      (db) => listPage(db, viewer.driveId, filter, before, page),
      signal,
    );
  }

  /** The months in which there are files, newest first, at most `MAX_MONTHS`. */
  async countByMonth(
    viewer: AccountInDrive,
    wanted: TimelineFilter,
    signal?: AbortSignal,
  ): Promise<readonly MonthCount[]> {
    const filter = await this.#withExclusions(viewer, wanted);
    const count = (db: Db) => countByDay(db, viewer.driveId, filter);
    const counts = await this.#database.readBySize(isLargeDatabase, count, signal);
    const months = new Map<string, { day: number; count: number }[]>();
    for (const { day, count } of counts.toSorted((a, b) => b.day - a.day)) {
      const date = new Date(day * DAY);
      const month = date.toISOString().replace(/-\d\dT.*$/, '');
      const days = months.get(month) ?? [];
      if (days.length === 0 && months.size === MAX_MONTHS) break;
      days.push({ day: date.getUTCDate(), count });
      months.set(month, days);
    }
    return [...months].map(([month, days]) => ({
      month,
      count: days.reduce((sum, { count }) => sum + count, 0),
      days,
    }));
  }

  /** Most accounts have no exclusions, and then the statements are simpler. */
  async #withExclusions(viewer: AccountInDrive, filter: TimelineFilter): Promise<TimelineFilter> {
    const excludes = await hasExclusions(this.#database.db, viewer);
    return excludes ? { ...filter, notExcludedBy: viewer } : filter;
  }
}

/** A page of few pictures among many may read all of them. */
function isNarrowed({ kind, starredBy, withoutScreenshots, notExcludedBy }: TimelineFilter): boolean {
  return (
    kind !== undefined ||
    starredBy !== undefined ||
    withoutScreenshots === true ||
    notExcludedBy !== undefined
  );
}

async function listPage(
  db: Db,
  driveId: number,
  filter: TimelineFilter,
  before: TimelinePlace | undefined,
  request: PageRequest,
): Promise<TimelinePage> {
  const { size } = request;
  // One extra file shows whether more follow after the page.
  const found = await findTimeline(db, driveId, filter, {
    before,
    offset: offsetOf(request),
    maxEntries: size + 1,
  });
  const page = found.slice(0, size);
  const known = new Map(page.map((each) => [each.entry.id, each]));
  const placed = await resolvePaths(
    db,
    page.map(({ entry }) => entry),
  );
  const shapes = await findShapes(db, [...known.keys()]);
  const items = placed.flatMap(({ entry, parentPath }) => {
    const found = known.get(entry.id);
    return found === undefined
      ? []
      : [{ ...found, parentPath, shape: shapes.get(entry.id) ?? UNKNOWN_SHAPE }];
  });
  const last = found.length > size ? page.at(-1) : undefined;
  return { items, last: last && { at: last.localTime, id: last.entry.id } };
}
