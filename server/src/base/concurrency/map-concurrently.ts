/**
 * Maps the values with at most `concurrency` calls at the same time. The results are in the order of the
 * values.
 *
 * After the first error no further call is started; the promise rejects with it when the running calls have
 * ended.
 */
export async function mapConcurrently<T, R>(
  values: readonly T[],
  concurrency: number,
  mapOne: (value: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const remaining = values.entries();
  let hasFailed = false;
  const runWorker = async () => {
    for (const [index, value] of remaining) {
      if (hasFailed) return;
      try {
        results[index] = await mapOne(value);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(concurrency, values.length) }, runWorker);
  for (const outcome of await Promise.allSettled(workers)) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
  return results;
}
