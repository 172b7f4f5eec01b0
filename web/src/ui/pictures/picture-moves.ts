import type { Band, TouchedCells } from '../grid/cells-in-band.ts';
import { type Layout, moveTo } from '../grid/grid-moves.ts';
import { lineAtTop, lineOfPicture, type PictureLine, type PictureLines } from './picture-lines.ts';

/** Like `moveTo`, but for lines with pictures of different widths. */
export function moveInLines(
  layout: PictureLines,
  key: string,
  from: number,
  shape: Layout,
): number | undefined {
  const { lines } = layout;
  const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: shape.lines, PageUp: -shape.lines }[key];
  if (steps === undefined || from < 0 || shape.total === 0) {
    // The left and right keys also move in a grid with a single column.
    return moveTo(key, from, { ...shape, columns: Math.max(2, shape.columns) });
  }
  let found: PictureLine | undefined;
  let left = Math.max(1, Math.abs(steps));
  for (let at = lineOfPicture(lines, from) + Math.sign(steps); left > 0; at += Math.sign(steps)) {
    const line = lines[at];
    if (line === undefined) break;
    if (line.count === 0) continue;
    found = line;
    left -= 1;
  }
  const centre = (layout.lefts[from] ?? 0) + (layout.widths[from] ?? 0) / 2;
  return found === undefined ? from : nearestIn(layout, found, centre);
}

/** The picture of a line that is nearest to a horizontal position. */
function nearestIn({ lefts, widths }: PictureLines, { first, count }: PictureLine, x: number): number {
  let [nearest, distance] = [first, Number.POSITIVE_INFINITY];
  for (let index = first; index < first + count; index += 1) {
    const left = lefts[index] ?? 0;
    const away = Math.max(left - x, x - left - (widths[index] ?? 0), 0);
    if (away < distance) [nearest, distance] = [index, away];
  }
  return nearest;
}

/** The pictures that a rectangle touches; undefined if there are none. */
export function picturesInBand(layout: PictureLines, band: Band): TouchedCells | undefined {
  const { lines, lefts, widths } = layout;
  const isInside = (index: number) => {
    const left = lefts[index] ?? 0;
    return left <= band.right && left + (widths[index] ?? 0) > band.left;
  };
  let [first, last, count] = [-1, -1, 0];
  for (let at = lineAtTop(lines, band.top); at < lines.length; at += 1) {
    const line = lines[at];
    if (line === undefined || line.top > band.bottom) break;
    // The rectangle begins in the gap below this line.
    if (line.top + line.height <= band.top) continue;
    for (let index = line.first; index < line.first + line.count; index += 1) {
      if (!isInside(index)) continue;
      if (first === -1) first = index;
      last = index;
      count += 1;
    }
  }
  return count === 0 ? undefined : { first, last, count, has: isInside };
}

/**
 * The scroll position at which the same pictures stay in place when the layout changes, because proportions
 * became known or pictures were added above.
 * @param visible the visible height
 */
export function keepInPlace(before: PictureLines, now: PictureLines, top: number, visible: number): number {
  const line = before.lines[lineAtTop(before.lines, top)];
  if (top <= 0 || line === undefined) return top;
  // At the end, the last picture stays visible.
  if (top + visible >= before.height - 1) return Math.max(0, now.height - visible);
  const [{ name }] = line.blocks;
  const [from, to] = [before.firsts.get(name), now.firsts.get(name)];
  if (from === undefined || to === undefined) return top;
  const at = lineOfPicture(now.lines, to + line.first - from);
  const pictures = now.lines[at];
  const heads = now.lines[at - 1];
  const target = line.count === 0 && heads?.count === 0 ? heads : pictures;
  if (target === undefined) return top;
  return target.top + Math.min(top - line.top, target.height);
}
