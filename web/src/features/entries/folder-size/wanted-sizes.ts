import { useSyncExternalStore } from 'react';

// The folders whose sizes the user has requested. A size is counted while its folder is in view.

let wanted: ReadonlySet<number> = new Set();
/** The folders whose size is not known yet. */
const counting = new Set<number>();
const listeners = new Set<() => void>();

export function useIsSizeWanted(id: number): boolean {
  return useSyncExternalStore(onChange, () => wanted.has(id));
}

export function wantSizes(ids: readonly number[]): void {
  change(new Set([...wanted, ...ids]));
}

/** Whether a requested size is still being counted. */
export function isCountingSizes(): boolean {
  return counting.size > 0;
}

/** Ends all counts. Known sizes stay. */
export function stopCountingSizes(): void {
  change(new Set([...wanted].filter((id) => !counting.has(id))));
}

/** Marks a folder as being counted. Returns a function that ends this. */
export function countSize(id: number): () => void {
  counting.add(id);
  return () => counting.delete(id);
}

function change(next: ReadonlySet<number>): void {
  wanted = next;
  for (const listener of listeners) listener();
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
