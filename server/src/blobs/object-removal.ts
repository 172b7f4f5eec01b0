import type { ObjectStore } from '../storage/object-store.ts';

/** Is told what could not be done and was passed over. */
export type OnFault = (error: unknown, doing: string) => void;

/**
 * Removes objects, each by itself when not all will go; gives the keys of those that stay, which were told.
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
    // Told below, of each that is concerned.
  }
  const stuck: string[] = [];
  for (const key of keys) {
    signal.throwIfAborted();
    try {
      await store.remove([key]);
    } catch (error) {
      signal.throwIfAborted();
      onFault(error, `remove the object ${key}`);
      stuck.push(key);
    }
  }
  return stuck;
}
