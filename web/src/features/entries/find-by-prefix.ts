import type { EntryRecord } from '../../../../client/src/client.ts';
import { foldName, toSortName } from '../../common/names/sort-name.ts';

/** The list properties that determine the position of a name. */
export interface NameOrder {
  readonly direction: 'asc' | 'desc';
  /** Whether all folders come before all files, in both directions. */
  readonly isFoldersFirst: boolean;
}

/** The entry at an index of the list. */
type Read = (index: number) => Promise<Pick<EntryRecord, 'filename' | 'directory'> | undefined>;

/**
 * How many entries are checked from a start on: names that differ only in accents or zeros may come first.
 */
const MAX_STEPS = 5;
/** How many more digits may follow a number at the end of the text. */
const MAX_MORE_DIGITS = 15;
/** Appended to the key of a text, it sorts after the keys of all names that continue the text. */
const END = '\u{10ffff}';

/**
 * Finds the first entry whose name begins with a text, in a list that is sorted by name and mostly not
 * loaded. It reads about 20 to 60 entries of a list of 100,000. If there is no such entry, it finds the first
 * one that matches when accents are ignored.
 */
export async function findByPrefix(
  text: string,
  total: number,
  order: NameOrder,
  read: Read,
): Promise<number | undefined> {
  const known = new Map<number, ReturnType<Read>>();
  const readOnce: Read = (index) => {
    const found = known.get(index) ?? read(index);
    known.set(index, found);
    return found;
  };
  const files = order.isFoldersFirst
    ? await findFirst(0, total, async (index) => (await readOnce(index))?.directory !== true)
    : 0;
  const parts = [
    { from: 0, to: files },
    { from: files, to: total },
  ];
  const found: Found[] = [];
  for (const part of parts) {
    const { exact, similar } = await findInPart(text, part, order.direction, readOnce);
    if (exact !== undefined) return exact;
    found.push({ exact, similar });
  }
  return found.find(({ similar }) => similar !== undefined)?.similar;
}

interface Found {
  readonly exact: number | undefined;
  /** The first match if accents are ignored. */
  readonly similar: number | undefined;
}

/** A range of the list, from `from` (inclusive) to `to` (exclusive). */
interface Part {
  readonly from: number;
  readonly to: number;
}

async function findInPart(
  text: string,
  { from, to }: Part,
  direction: NameOrder['direction'],
  read: Read,
): Promise<Found> {
  const prefix = foldName(text);
  const weights = toAccentFreeKey(text);
  let similar: number | undefined;
  const keys = listStarts(text, direction);
  for (let key = keys.shift(); key !== undefined; key = keys.shift()) {
    const start = await findFirst(from, to, async (index) => {
      const compared = compareByCodePoints(toSortName((await read(index))?.filename ?? ''), key);
      return direction === 'asc' ? compared >= 0 : compared <= 0;
    });
    for (let index = start; index < Math.min(to, start + MAX_STEPS); index += 1) {
      const name = (await read(index))?.filename ?? '';
      if (foldName(name).startsWith(prefix)) return { exact: index, similar };
      if (!toSortName(name).startsWith(weights)) break;
      similar ??= index;
    }
    preferDigitCount(keys, text, (await read(start))?.filename ?? '', direction);
  }
  return { exact: undefined, similar };
}

/**
 * The sort keys at which matching entries may begin, in list order. `file 4` may be `file 4` itself, or the
 * first of `file 40`, `file 400` and so on.
 */
function listStarts(text: string, direction: NameOrder['direction']): string[] {
  const counts = /\p{Nd}$/u.test(text)
    ? Array.from({ length: MAX_MORE_DIGITS + 1 }, (_, count) => count)
    : [0];
  return direction === 'asc'
    ? counts.map((count) => toAccentFreeKey(text + '0'.repeat(count)))
    : counts.toReversed().map((count) => toAccentFreeKey(text + '9'.repeat(count)) + END);
}

/**
 * If a similar name has a number with more digits, such as `file 00042`, tries the key of that length first.
 */
function preferDigitCount(
  keys: string[],
  text: string,
  name: string,
  direction: NameOrder['direction'],
): void {
  const typed = /\p{Nd}*$/u.exec(foldName(text))?.[0] ?? '';
  const stem = foldName(text).slice(0, foldName(text).length - typed.length);
  const folded = foldName(name);
  const more = (/^\p{Nd}*/u.exec(folded.slice(stem.length))?.[0].length ?? 0) - typed.length;
  if (more <= 0 || more > MAX_MORE_DIGITS || !folded.startsWith(stem)) return;
  const key = listStarts(text, direction).at(direction === 'asc' ? more : -1 - more);
  const at = key === undefined ? -1 : keys.indexOf(key);
  if (at > 0) keys.unshift(...keys.splice(at, 1));
}

/** The part of the sort key that does not depend on accents. */
function toAccentFreeKey(text: string): string {
  return toSortName(text).split(' ', 1)[0] ?? '';
}

/**
 * The first index in [from, to) for which the condition holds. If it holds for an index, it must also hold
 * for all later ones.
 */
async function findFirst(
  from: number,
  to: number,
  isMatch: (index: number) => Promise<boolean>,
): Promise<number> {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isMatch(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Compares in the same order as the databases of the service. UTF-16 would put emoji before some letters. */
function compareByCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
