import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { offsetOf, type PageRequest } from '../../base/page.ts';

/** The ids with `above < id <= upTo`. */
interface IdSlice {
  readonly above: number;
  readonly upTo: number;
}

/**
 * Finds one page of the rows that match a filter, newest first, and counts all matches.
 *
 * No index helps to find a part of a name, so every row is read, one slice of ids at a time. Between two
 * slices other requests are served, because SQLite runs its queries on the event loop. A table smaller than a
 * slice needs one query.
 *
 * @param find returns the matching ids in the slice, highest first
 */
export async function findNewestFirst(
  highestId: number,
  sliceSize: number,
  page: PageRequest,
  find: (slice: IdSlice) => Promise<readonly number[]>,
): Promise<{ ids: readonly number[]; total: number }> {
  const ids: number[] = [];
  const [from, to] = [offsetOf(page), offsetOf(page) + page.size];
  let total = 0;
  for (let upTo = highestId; upTo > 0; upTo -= sliceSize) {
    if (upTo < highestId) await yieldToEventLoop();
    const found = await find({ above: upTo - sliceSize, upTo });
    ids.push(...found.slice(Math.max(0, from - total), Math.max(0, to - total)));
    total += found.length;
  }
  return { ids, total };
}

/** Sorts rows into the order of the ids. Ids whose row has been deleted meanwhile are left out. */
export function sortByIds<T extends { readonly id: number }>(
  ids: readonly number[],
  rows: readonly T[],
): readonly T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
