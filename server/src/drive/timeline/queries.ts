import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { DAY, type Instant } from '../../base/clock.ts';
import type { AccountInDrive } from '../../base/domain/drives.ts';
import { beginsWith } from '../../database/contains-text.ts';
import type { Db } from '../../database/database.ts';
import type { Entry } from '../entries/entry.ts';
import { ENTRY_COLUMNS, type EntryRow, toEntry } from '../entries/entry-queries.ts';
import { isNotExcluded } from './exclusion-queries.ts';

/** A picture or video, when it was taken, and the local time that decides its place in the timeline. */
export interface TimelineEntry {
  readonly entry: Entry;
  readonly takenAt: Instant | null;
  readonly localTime: Instant;
}

/**
 * The place of a file in the timeline: its local time and its id. Ids are unique, so places are unique too.
 */
export interface TimelinePlace {
  readonly at: Instant;
  readonly id: number;
}

const COLUMNS = sql.raw(ENTRY_COLUMNS.join(', '));

/**
 * The local time at which a file was taken. If it is not stored separately, falls back to the time taken,
 * then to the time modified. The index `entry__timeline` has the same expression.
 */
const AT = sql<Instant>`coalesce(entry.taken_local, entry.taken_at, entry.modified_at)`;

const IS_OF_KIND = {
  IMAGE: sql`entry.content_type >= 'image/' and entry.content_type < 'image0'`,
  VIDEO: sql`entry.content_type >= 'video/' and entry.content_type < 'video0'`,
};

/** Repeats the conditions of that index. */
const IS_IN_TIMELINE = sql<SqlBool>`entry.deleted_at is null
  and (${IS_OF_KIND.IMAGE} or ${IS_OF_KIND.VIDEO})`;

/**
 * How the names of screenshots and screen recordings begin on common systems, in lower case. A client may leave
 * these pictures out of the timeline.
 */
const SCREENSHOT_BEGINNINGS: readonly string[] = [
  ...['screenshot', 'screen shot', 'screen recording', 'screenrecord', 'screen_record'],
  ...['bildschirmfoto', 'bildschirmaufnahme'],
  ...["capture d'écran", 'capture d’écran', 'enregistrement de l’écran'],
  ...['captura de pantalla', 'grabación de pantalla', 'captura de tela', 'captura de ecrã'],
  ...['schermata', 'schermafbeelding', 'skärmavbild', 'skjermbilde', 'skærmbillede', 'zrzut ekranu'],
  ...['ekran görüntüsü', 'ekran resmi', 'снимок экрана', 'знімок екрана'],
  ...['截屏', '截图', '屏幕截图', '屏幕快照', '屏幕录制', '录屏', '螢幕截圖', '螢幕快照', '螢幕錄影'],
  ...['スクリーンショット', '画面収録', '스크린샷'],
];

const IS_SCREENSHOT = sql.join(
  SCREENSHOT_BEGINNINGS.map((text) => beginsWith('entry.folded_name', text)),
  sql` or `,
);

/** Which pictures and videos are wanted; by default all. */
export interface TimelineFilter {
  readonly kind?: 'IMAGE' | 'VIDEO' | undefined;
  /** Only those that this account has marked with a star. */
  readonly starredBy?: number | undefined;
  readonly withoutScreenshots?: boolean | undefined;
  /** Only those that this account does not leave out. */
  readonly notExcludedBy?: AccountInDrive | undefined;
}

/** Further conditions, each with its `and`. That of the kind needs no table rows. */
function isWanted({
  kind,
  starredBy,
  withoutScreenshots,
  notExcludedBy,
}: TimelineFilter): RawBuilder<unknown> {
  return sql.join(
    [
      ...(kind === undefined ? [] : [sql`and ${IS_OF_KIND[kind]}`]),
      // The mark of an entry says that anyone has starred it, so most rows need no look at the stars.
      ...(starredBy === undefined
        ? []
        : [
            sql`and entry.is_starred = 1 and exists (select 1 from star
              where star.entry_id = entry.id and star.account_id = ${starredBy})`,
          ]),
      ...(withoutScreenshots === true ? [sql`and not (${IS_SCREENSHOT})`] : []),
      ...(notExcludedBy === undefined ? [] : [sql`and ${isNotExcluded(notExcludedBy)}`]),
    ],
    sql` `,
  );
}

/** Newest first. */
export async function findTimeline(
  db: Db,
  driveId: number,
  filter: TimelineFilter,
  {
    before,
    offset,
    maxEntries,
  }: { readonly before: TimelinePlace | undefined; readonly offset: number; readonly maxEntries: number },
): Promise<readonly TimelineEntry[]> {
  const { rows } = await sql<EntryRow & { taken_at: Instant | null; local_time: Instant }>`
    select ${COLUMNS}, entry.taken_at, ${AT} as local_time from entry
    where entry.drive_id = ${driveId} and ${IS_IN_TIMELINE} ${before === undefined ? sql`` : isBefore(before)}
      ${isWanted(filter)}
    order by ${AT} desc, entry.id desc limit ${maxEntries} offset ${offset}`.execute(db);
  return rows.map((row) => ({ entry: toEntry(row), takenAt: row.taken_at, localTime: row.local_time }));
}

/** The first condition is redundant, but lets the index use a range. */
function isBefore({ at, id }: TimelinePlace): RawBuilder<SqlBool> {
  return sql`and ${AT} <= ${at} and (${AT} < ${at} or entry.id < ${id})`;
}

/** Added to make every time positive, because integer division rounds towards 0 rather than down. */
const SHIFT_DAYS = 1_000_000;

/** The number of files per day, for the days that have files. Days count from 1970. */
export async function countByDay(
  db: Db,
  driveId: number,
  filter: TimelineFilter,
): Promise<readonly { readonly day: number; readonly count: number }[]> {
  const shifted = sql`(${AT} + ${sql.lit(SHIFT_DAYS * DAY)}) / ${sql.lit(DAY)}`;
  const { rows } = await sql<{ day: number; count: number }>`
    select ${shifted} as day, count(*) as count from entry
    where entry.drive_id = ${driveId} and ${IS_IN_TIMELINE} ${isWanted(filter)}
    group by ${shifted}`.execute(db);
  return rows.map(({ day, count }) => ({ day: day - SHIFT_DAYS, count }));
}
