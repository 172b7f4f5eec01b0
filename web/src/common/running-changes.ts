let running = 0;

/** Runs a change of entries, and counts it as running until it ends. */
export async function whileChanging<T>(work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await work();
  } finally {
    running -= 1;
  }
}

/**
 * Whether a change is running. Its expected result is already shown, and a refetched list would revert that.
 */
export function isChanging(): boolean {
  return running > 0;
}
