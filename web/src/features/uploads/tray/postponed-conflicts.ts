// Name conflicts that the user has postponed.

let ids: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

/** For `useSyncExternalStore`. */
export function onPostponedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function postponedIds(): ReadonlySet<string> {
  return ids;
}

export function postpone(more: readonly string[]): void {
  change(new Set([...ids, ...more]));
}

/** Asks about all postponed conflicts again. */
export function askAgain(): void {
  change(new Set());
}

function change(next: ReadonlySet<string>): void {
  ids = next;
  for (const listener of listeners) listener();
}
