import type { Band, TouchedCells } from '../../ui/grid/cells-in-band.ts';
import { type Layout, moveTo } from '../../ui/grid/grid-moves.ts';

/** How many pictures there are of a day, such as `2026-11-14`. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** A heading, or a line of tiles. Lengths in pixels. */
export interface DayLine {
  readonly top: number;
  readonly day: string;
  /** The index of its first picture. */
  readonly first: number;
  /** How many pictures it shows; 0 for a heading. */
  readonly count: number;
}

export interface DayLines {
  readonly lines: readonly DayLine[];
  readonly height: number;
}

interface Sizes {
  readonly columns: number;
  /** The height of a line of tiles. */
  readonly lineHeight: number;
  readonly headHeight: number;
}

/** The lines of all days: a heading for each day, and below it its tiles. */
export function layOutDays(days: readonly DayCount[], { columns, lineHeight, headHeight }: Sizes): DayLines {
  const lines: DayLine[] = [];
  let [top, first] = [0, 0];
  for (const { day, count } of days) {
    lines.push({ top, day, first, count: 0 });
    top += headHeight;
    for (let done = 0; done < count; done += columns) {
      lines.push({ top, day, first: first + done, count: Math.min(columns, count - done) });
      top += lineHeight;
    }
    first += count;
  }
  return { lines, height: top };
}

/** The line at that height; the last one if it is below. */
export function lineAtTop(lines: readonly DayLine[], top: number): number {
  return findLast(lines, (line) => line.top <= top);
}

/** The line of tiles that shows a picture. */
export function lineOfPicture(lines: readonly DayLine[], index: number): number {
  return findLast(lines, (line) => line.first <= index);
}

/** The pictures that a rectangle touches; undefined if there is none. Tiles are as wide as their line is high. */
export function picturesInBand(
  lines: readonly DayLine[],
  band: Band,
  lineHeight: number,
): TouchedCells | undefined {
  const left = Math.max(0, Math.floor(band.left / lineHeight));
  const right = Math.floor(band.right / lineHeight);
  let [first, last, count] = [-1, -1, 0];
  for (let at = lineAtTop(lines, band.top); at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.top > band.bottom) break;
    // Below the last line.
    if (line.top + lineHeight <= band.top) continue;
    const inLine = Math.min(right, line.count - 1) - left + 1;
    if (inLine <= 0) continue;
    if (first === -1) first = line.first + left;
    last = line.first + left + inLine - 1;
    count += inLine;
  }
  if (count === 0) return undefined;
  const columnOf = (index: number) => index - (lines[lineOfPicture(lines, index)]?.first ?? 0);
  return { first, last, count, has: (index) => columnOf(index) >= left && columnOf(index) <= right };
}

/** As `moveTo`, for lines of which the last one of each day may be short. */
export function moveInDays(
  lines: readonly DayLine[],
  key: string,
  from: number,
  layout: Layout,
): number | undefined {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: layout.lines, PageUp: -layout.lines }[key];
  if (steps === undefined || from < 0 || layout.total === 0) {
    // In a grid with one column these keys move too, because its tiles are beside nothing.
    return moveTo(key, from, { ...layout, columns: Math.max(2, layout.columns) });
  }
  const start = lineOfPicture(lines, from);
  const column = from - (lines[start]?.first ?? from);
  let found = start;
  let left = Math.max(1, Math.abs(steps));
  for (let at = start; left > 0; ) {
    at += Math.sign(steps);
    const line = lines[at];
    if (line === undefined) break;
    if (line.count === 0) continue;
    found = at;
    left -= 1;
  }
  const line = lines[found];
  return line === undefined ? from : line.first + Math.min(column, line.count - 1);
}

/** The last of the sorted lines for which it is true; the first one if there is none. */
function findLast(lines: readonly DayLine[], isBefore: (line: DayLine) => boolean): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const line = lines[middle];
    if (line !== undefined && isBefore(line)) low = middle;
    else high = middle - 1;
  }
  return low;
}
