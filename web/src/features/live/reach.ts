import { useSyncExternalStore } from 'react';

let isAway = false;
const listeners = new Set<() => void>();

/** Says whether the service can be reached just now. */
export function setAway(value: boolean): void {
  if (isAway === value) return;
  isAway = value;
  for (const listener of listeners) listener();
}

/** Whether the service is out of reach. */
export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
