/** A piece of text on a page, at most a word of a script that is written from right to left. */
export interface TextItem {
  readonly str: string;
  /** `rtl` for Arabic and Hebrew, `ltr` for all other items, such as spaces and numbers. */
  readonly dir: string;
  /** The size of the letters is at the index 3, and the horizontal position of the item at the index 4. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly hasEOL: boolean;
}

/** Joins the items of a page to lines. */
export function toLines(items: readonly TextItem[]): string {
  const lines: string[] = [];
  let line: TextItem[] = [];
  for (const item of items) {
    line.push(item);
    if (!item.hasEOL) continue;
    lines.push(joinLine(line));
    line = [];
  }
  return [...lines, joinLine(line)].join('\n');
}

/**
 * Many programs draw all words of a line from left to right, even those that are read from right to left. So
 * these are put into the order of their positions. Where the direction changes, spaces are missing, too.
 */
function joinLine(line: readonly TextItem[]): string {
  const ordered: TextItem[] = [];
  for (let at = 0; at < line.length; ) {
    const end = endOfRun(line, at);
    const run = line.slice(at, end);
    if (run.length > 1) run.sort((one, other) => leftOf(other) - leftOf(one));
    // Not spread, because a hostile page has more items than a call may have arguments.
    for (const item of run) if (run.length === 1 || !isThinSpace(item)) ordered.push(item);
    at = end;
  }
  let text = '';
  for (const [index, item] of ordered.entries()) {
    const previous = ordered[index - 1];
    text += previous !== undefined && isSpaceMissing(previous, item) ? ` ${item.str}` : item.str;
  }
  return text;
}

/** The end of the words from right to left that begin at an item, with what is between them. */
function endOfRun(line: readonly TextItem[], start: number): number {
  let end = start + 1;
  if (line[start]?.dir !== 'rtl') return end;
  for (let at = end; at < line.length; at += 1) {
    const item = line[at];
    if (item?.dir === 'rtl') end = at + 1;
    else if (/\p{L}/u.test(item?.str ?? '')) break;
  }
  return end;
}

/** A part of the size of the letters. The space between two words is wider. */
const GAP = 0.12;

function isSpaceMissing(one: TextItem, other: TextItem): boolean {
  if (one.dir !== 'rtl' && other.dir !== 'rtl') return false;
  if (one.str.trim() === '' || other.str.trim() === '') return false;
  const [left, right] = leftOf(one) < leftOf(other) ? [one, other] : [other, one];
  return leftOf(right) - leftOf(left) - left.width > GAP * Math.min(sizeOf(one), sizeOf(other));
}

/** The library adds such spaces before a mark or a letter that was drawn out of order. */
function isThinSpace(item: TextItem): boolean {
  return item.str === ' ' && item.width < GAP * sizeOf(item);
}

function leftOf({ transform }: TextItem): number {
  return transform[4] ?? 0;
}

function sizeOf({ transform }: TextItem): number {
  return Math.abs(transform[3] ?? 0);
}
