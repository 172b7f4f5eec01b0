import type { ObjectStore } from '../storage/object-store.ts';

/** Reports an error that was skipped. `doing` says what failed: `remove the object …`. */
export type OnFault = (error: unknown, doing: string) => void;

/**
 * Removes objects: all in one call, or one by one if that fails. Returns the keys that could not be removed,
 * after reporting each of them.
 * @throws the reason of the signal
 */
export async function removeObjects(
  store: ObjectStore,
  keys: readonly string[],
  { signal, onFault }: { readonly signal: AbortSignal; readonly onFault: OnFault },
): Promise<readonly string[]> {
  signal.throwIfAborted();
  try {
    await store.remove(keys);
    return [];
  } catch {
    // The calls below report which objects fail.
  }
  const notRemoved: string[] = [];
  for (const key of keys) {
    signal.throwIfAborted();
    try {
      await store.remove([key]);
    } catch (error) {
      signal.throwIfAborted();
      onFault(error, `remove the object ${key}`);
      notRemoved.push(key);
    }
  }
  return notRemoved;
}
