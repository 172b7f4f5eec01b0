/**
 * Does the work for each item, several at a time. The next item is taken when one is done, so the iterable
 * can be lazy. After the first error no further item starts, and the error is thrown once the running ones
 * have ended.
 */
export async function forEachConcurrently<T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failure: { readonly error: unknown } | undefined;
  let isOver = false;
  const runOne = async () => {
    while (!isOver && failure === undefined) {
      try {
        const next = await iterator.next();
        if (next.done) isOver = true;
        else await work(next.value);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runOne));
  await iterator.return?.();
  if (failure !== undefined) throw failure.error;
}
