/** Most of the time for small files is spent waiting until they are open, so a few are read ahead. */
const MAX_READ_AHEAD = 8;

/** Files up to this size are read into memory, which is faster than a stream. */
export const MAX_READ_AHEAD_BYTES = 64 * 1_024;

/** Yields each item with its result, in order. Meanwhile the work for the next items is already started. */
export async function* readAhead<Item, Result>(
  items: Iterable<Item> | AsyncIterable<Item>,
  start: (item: Item) => Promise<Result> | undefined,
): AsyncGenerator<readonly [Item, Promise<Result> | undefined]> {
  const waiting: (readonly [Item, Promise<Result> | undefined])[] = [];
  for await (const item of items) {
    const result = start(item);
    // If reading ends before this is awaited, an error must not count as an unhandled rejection.
    result?.catch(() => undefined);
    waiting.push([item, result]);
    const first = waiting.length > MAX_READ_AHEAD ? waiting.shift() : undefined;
    if (first !== undefined) yield first;
  }
  yield* waiting;
}
