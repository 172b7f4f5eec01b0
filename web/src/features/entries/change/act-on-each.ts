export interface Outcome<T> {
  readonly done: readonly T[];
  readonly failed: readonly T[];
  /** Why the first of those failed. */
  readonly error: unknown;
}

const AT_ONCE = 4;

/** Does the same to each, a few at a time; what fails for one does not keep the others from it. */
export async function actOnEach<T>(
  entries: readonly T[],
  act: (entry: T) => Promise<unknown>,
  onProgress: (settled: number) => void = () => undefined,
): Promise<Outcome<T>> {
  const done: T[] = [];
  const failed: T[] = [];
  let error: unknown;
  const rest = entries.values();
  const work = async () => {
    for (const entry of rest) {
      try {
        await act(entry);
        done.push(entry);
      } catch (reason) {
        error ??= reason;
        failed.push(entry);
      }
      onProgress(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, failed, error };
}
