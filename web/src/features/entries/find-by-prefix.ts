import type { EntryRecord } from '../../api/contract.ts';
import { MAX_NAME_LENGTH, toNormalForm } from '../../common/names/normal-form.ts';

/** The properties of a list on which the position of a name depends. */
export interface NameOrder {
  readonly direction: 'asc' | 'desc';
  /** Whether all folders come before all files, in both directions. */
  readonly isFoldersFirst: boolean;
}

/** The entry at an index of the list. */
type Read = (index: number) => Promise<Pick<EntryRecord, 'filename' | 'directory'> | undefined>;

/**
 * Finds the first entry whose name begins with a text, in a list that is sorted by name and mostly not
 * loaded. It reads some 20 to 40 entries of a list of 100,000.
 */
export async function findByPrefix(
  text: string,
  total: number,
  order: NameOrder,
  read: Read,
): Promise<number | undefined> {
  const prefix = foldName(text);
  const find = async (from: number, to: number) => {
    const isReached = (name: string) => {
      const compared = compareByCodePoints(name.slice(0, prefix.length), prefix);
      return order.direction === 'asc' ? compared >= 0 : compared <= 0;
    };
    const at = await findFirst(from, to, async (index) =>
      isReached(foldName((await read(index))?.filename ?? '')),
    );
    const found = at < to ? await read(at) : undefined;
    return found !== undefined && foldName(found.filename).startsWith(prefix) ? at : undefined;
  };
  if (!order.isFoldersFirst) return find(0, total);
  const files = await findFirst(0, total, async (index) => (await read(index))?.directory !== true);
  return (await find(0, files)) ?? (await find(files, total));
}

/**
 * The first index in [from, to) for which the condition holds. It must then hold for all later indexes too.
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

/** Folds a name for sorting, as the service does. */
function foldName(name: string): string {
  return toNormalForm(name.toLowerCase().replaceAll('ς', 'σ'), MAX_NAME_LENGTH);
}

/** Compares as the databases of the service do. The order of UTF-16 would put emoji before some letters. */
function compareByCodePoints(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
