/** Does the work for each, a few at the same time; gives the results in order. The first error ends it. */
export async function mapConcurrently<T, R>(
  all: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  let isBroken = false;
  const waiting = all.entries();
  const takeTurns = async () => {
    for (const [index, item] of waiting) {
      if (isBroken) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
  };
  const turns = await Promise.allSettled(Array.from({ length: Math.min(most, all.length) }, takeTurns));
  for (const turn of turns) if (turn.status === 'rejected') throw turn.reason;
  return results;
}
