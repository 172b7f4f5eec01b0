import { mapConcurrently } from '../../../common/timing/map-concurrently.ts';
import { Skipped } from '../conflicts/conflict-decisions.ts';
import { MAX_CONCURRENT } from '../in-turn.ts';

interface Outcome<T> {
  readonly done: readonly T[];
  readonly failed: readonly T[];
  /** The first error. */
  readonly error: unknown;
}

/**
 * Runs an action on each entry, a few at a time. A failure of one entry does not stop the others. An entry
 * that the user skips counts as neither done nor failed.
 */
export async function runForEach<T>(
  entries: readonly T[],
  act: (entry: T) => Promise<unknown>,
  onProgress: (settled: number) => void = () => undefined,
  limit = MAX_CONCURRENT,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const failed: T[] = [];
  let settled = 0;
  let error: unknown;
  await mapConcurrently(entries, limit, async (entry) => {
    try {
      await act(entry);
      done.push(entry);
    } catch (reason) {
      if (!(reason instanceof Skipped)) {
        error ??= reason;
        failed.push(entry);
      }
    }
    settled += 1;
    onProgress(settled);
  });
  return { done, failed, error };
}
