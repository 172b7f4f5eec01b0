/**
 * Works on every item, at most `limit` at a time, also on items that are added meanwhile.
 * After a failure nothing new is begun.
 */
export async function atATime<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T, add: (item: T) => void) => Promise<void>,
): Promise<void> {
  const waiting = [...items].reverse();
  const running = new Set<Promise<void>>();
  while (waiting.length > 0 || running.size > 0) {
    while (waiting.length > 0 && running.size < limit) {
      const item = waiting.pop();
      if (item === undefined) continue;
      const job = work(item, (more) => waiting.unshift(more)).finally(() => running.delete(job));
      // The race below meets the failure; without this, one of two at once would count as unhandled.
      job.catch(() => undefined);
      running.add(job);
    }
    await Promise.race(running);
  }
}
