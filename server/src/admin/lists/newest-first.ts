import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { offsetOf, type PageRequest } from '../../base/page.ts';

/** Ids `above < id <= upTo`. */
export interface IdSlice {
  readonly above: number;
  readonly upTo: number;
}

/**
 * One page of what a filter lets through, the newest first, and how many that are in all.
 *
 * No index knows what lies in the middle of a name, so all rows are looked at, a slice at a time: between two slices
 * others get their turn, since SQLite answers on the thread that serves everybody. A table smaller than a slice takes one
 * question.
 *
 * @param find gives the ids in the slice that pass, the highest first
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
    if (upTo < highestId) await yieldToOthers();
    const found = await find({ above: upTo - sliceSize, upTo });
    ids.push(...found.slice(Math.max(0, from - total), Math.max(0, to - total)));
    total += found.length;
  }
  return { ids, total };
}

/** Things in the order of their ids; what has gone meanwhile is left out. */
export function inOrder<T extends { readonly id: number }>(
  ids: readonly number[],
  things: readonly T[],
): readonly T[] {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
