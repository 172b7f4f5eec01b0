import type { PictureGroup } from '../../ui/pictures/picture-lines.ts';

/** A day of a former year on which pictures were taken. */
export interface FormerDay {
  /** Such as `2026-11-14`. */
  readonly day: string;
  /** The index of its first picture. */
  readonly first: number;
  readonly yearsAgo: number;
}

const MAX_DAYS = 6;

/** The days of former years with the month and day of today, the latest ones. @param days newest first */
export function findFormerDays(days: readonly PictureGroup[], today: string): readonly FormerDay[] {
  const found: FormerDay[] = [];
  let first = 0;
  for (const { name: day, count } of days) {
    const yearsAgo = Number(today.slice(0, 4)) - Number(day.slice(0, 4));
    if (day.slice(4) === today.slice(4) && yearsAgo > 0) found.push({ day, first, yearsAgo });
    if (found.length === MAX_DAYS) break;
    first += count;
  }
  return found;
}
