import type { Band, TouchedCells } from '../../ui/grid/cells-in-band.ts';
import { type Layout, moveTo } from '../../ui/grid/grid-moves.ts';

/** The number of pictures taken on a day, such as `2026-11-14`. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

/** The pictures of a day in a line. Days with few pictures share a line. */
export interface DayBlock {
  readonly day: string;
  /** The index of its first picture. */
  readonly first: number;
  readonly count: number;
  /** The column in which the block begins, from 0. */
  readonly column: number;
  /** The number of columns of the heading. There may be fewer pictures. */
  readonly span: number;
}

/** A line of headings, or a line of tiles. All its days are of one month. Lengths in pixels. */
export interface DayLine {
  readonly top: number;
  /** The first day. */
  readonly day: string;
  /** The index of its first picture. */
  readonly first: number;
  /** The number of pictures in the line; 0 for headings. */
  readonly count: number;
  /** The days of the line from left to right; at least one. */
  readonly blocks: readonly DayBlock[];
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
  /** The minimum number of columns for a heading. */
  readonly headColumns: number;
}

/**
 * The lines of all days: headings, and tiles below them. Days of one month share a line if they fit next to
 * each other, so that a library with one picture a day does not get too long. Each month begins a new line,
 * because the scrubber leads there.
 */
export function layOutDays(days: readonly DayCount[], sizes: Sizes): DayLines {
  const { columns, lineHeight, headHeight } = sizes;
  const lines: DayLine[] = [];
  let top = 0;
  for (const blocks of groupDays(days, sizes)) {
    const [{ day, first }] = blocks;
    lines.push({ top, day, first, count: 0, blocks });
    top += headHeight;
    const count = blocks.reduce((sum, block) => sum + block.count, 0);
    if (blocks.length > 1) {
      lines.push({ top, day, first, count, blocks });
      top += lineHeight;
      continue;
    }
    for (let done = 0; done < count; done += columns) {
      const block = {
        day,
        first: first + done,
        count: Math.min(columns, count - done),
        column: 0,
        span: columns,
      };
      lines.push({ top, day, first: block.first, count: block.count, blocks: [block] });
      top += lineHeight;
    }
  }
  return { lines, height: top };
}

type Group = readonly [DayBlock, ...DayBlock[]];

/** Groups the days that share a line. The heading of a single day gets the whole line. */
function* groupDays(days: readonly DayCount[], { columns, headColumns }: Sizes): Generator<Group> {
  let group: [DayBlock, ...DayBlock[]] | undefined;
  let [first, column] = [0, 0];
  const alone = (block: DayBlock): Group => [{ ...block, span: columns }];
  for (const { day, count } of days) {
    const isSameMonth = group !== undefined && monthOf(group[0].day) === monthOf(day);
    const span = Math.max(count, headColumns);
    if (group !== undefined && isSameMonth && column + span <= columns) {
      group.push({ day, first, count, column, span });
      column += span;
    } else {
      if (group !== undefined) yield group.length === 1 ? alone(group[0]) : group;
      column = span;
      group = [{ day, first, count, column: 0, span }];
    }
    first += count;
  }
  if (group !== undefined) yield group.length === 1 ? alone(group[0]) : group;
}

/** @param day such as `2026-11-14` */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** The index of the line at a height; the last line if the height is below all lines. */
export function lineAtTop(lines: readonly DayLine[], top: number): number {
  return findLast(lines, (line) => line.top <= top);
}

/** The line of tiles that shows a picture. */
export function lineOfPicture(lines: readonly DayLine[], index: number): number {
  return findLast(lines, (line) => line.first <= index);
}

/**
 * The pictures that a rectangle touches; undefined if there are none. Tiles are as wide as their line is
 * tall.
 */
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
    // The rectangle begins below this line, which is the last one.
    if (line.top + lineHeight <= band.top) continue;
    if (line.count === 0) continue;
    for (const block of line.blocks) {
      const start = Math.max(left, block.column);
      const end = Math.min(right, block.column + block.count - 1);
      if (end < start) continue;
      if (first === -1) first = block.first + start - block.column;
      last = block.first + end - block.column;
      count += end - start + 1;
    }
  }
  if (count === 0) return undefined;
  const isTouched = (index: number) => {
    const column = columnOf(lines[lineOfPicture(lines, index)], index);
    return column >= left && column <= right;
  };
  return { first, last, count, has: isTouched };
}

/** The column of a picture in its line. */
function columnOf(line: DayLine | undefined, index: number): number {
  const block = line?.blocks.findLast(({ first }) => first <= index);
  return block === undefined ? 0 : block.column + index - block.first;
}

/** The picture in a column of the line, or else the last picture before that column. */
function pictureAt({ blocks, first }: DayLine, column: number): number {
  const block = blocks.findLast((each) => each.column <= column);
  return block === undefined ? first : block.first + Math.min(column - block.column, block.count - 1);
}

/** Like `moveTo`, but for lines that may be short or have free columns between their days. */
export function moveInDays(
  lines: readonly DayLine[],
  key: string,
  from: number,
  layout: Layout,
): number | undefined {
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: layout.lines, PageUp: -layout.lines }[key];
  if (steps === undefined || from < 0 || layout.total === 0) {
    // The left and right keys also move in a grid with a single column.
    return moveTo(key, from, { ...layout, columns: Math.max(2, layout.columns) });
  }
  const start = lineOfPicture(lines, from);
  const column = columnOf(lines[start], from);
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
  return line === undefined ? from : pictureAt(line, column);
}

/** The index of the last line for which the condition holds; 0 if there is none. The lines are sorted. */
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
