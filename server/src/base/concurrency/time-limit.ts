/**
 * Returns the result of the work, or throws `late()` if the work takes too long. The work itself continues,
 * and its result is dropped.
 */
export async function withTimeLimit<T>(work: Promise<T>, limitMs: number, late: () => Error): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  // After a pause of the process, the timer fires before answers that arrived during the pause are read.
  const timer = setTimeout(() => setImmediate(() => reject(late())), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
