import { Turns } from './turns.ts';

/** Sorting this many elements takes a few milliseconds at most. */
const RUN_LENGTH = 4_096;

/**
 * Returns a sorted copy. Lets the event loop turn meanwhile, because sorting a hundred thousand elements
 * takes a tenth of a second. Elements that compare as equal stay in their order.
 */
export async function sortInTurns<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<readonly T[]> {
  const turns = new Turns();
  let runs: T[][] = [];
  for (let from = 0; from < items.length; from += RUN_LENGTH) {
    if (turns.isOver()) await turns.next();
    runs.push(items.slice(from, from + RUN_LENGTH).sort(compare));
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], compare, turns));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (one: T, other: T) => number,
  turns: Turns,
): Promise<T[]> {
  const merged: T[] = [];
  let next = 0;
  for (const item of first) {
    if (turns.isOver()) await turns.next();
    for (; next < second.length; next += 1) {
      const other = second[next] as T;
      if (compare(item, other) <= 0) break;
      merged.push(other);
    }
    merged.push(item);
  }
  return merged.concat(second.slice(next));
}
