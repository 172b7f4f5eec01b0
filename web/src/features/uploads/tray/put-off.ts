// Name conflicts about which the user does not want to be asked now.

let ids: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function onPutOff(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function putOffIds(): ReadonlySet<string> {
  return ids;
}

export function putOff(more: readonly string[]): void {
  change(new Set([...ids, ...more]));
}

/** Asks about all of them again. */
export function showTaken(): void {
  change(new Set());
}

function change(next: ReadonlySet<string>): void {
  ids = next;
  for (const listener of listeners) listener();
}
