/**
 * Calls the function for each item, at most `limit` at a time, and returns the results in order. After the
 * first error, no new call starts. The error is thrown once the running calls have ended.
 */
export async function mapConcurrently<T, R>(
  all: readonly T[],
  limit: number,
  call: (each: T, index: number) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let failure: { readonly error: unknown } | undefined;
  const waiting = all.entries();
  const work = async () => {
    for (const [index, each] of waiting) {
      if (failure !== undefined) return;
      try {
        results[index] = await call(each, index);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, all.length) }, work));
  if (failure !== undefined) throw failure.error;
  return results;
}
