/**
 * Processes every item, at most `limit` concurrently, including items that are added meanwhile. After a
 * failure nothing new is started.
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
      // The race below handles the failure; without this, a second one would be an unhandled rejection.
      job.catch(() => undefined);
      running.add(job);
    }
    await Promise.race(running);
  }
}
