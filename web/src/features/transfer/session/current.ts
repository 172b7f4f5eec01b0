// The transfers of this page: at most one being sent and one being received. They continue while the user
// navigates within the client.
import type { Receiving } from './receiving.ts';
import type { Sending } from './sending.ts';

interface Current {
  readonly sending: Sending | undefined;
  readonly receiving: Receiving | undefined;
}

let current: Current = { sending: undefined, receiving: undefined };
const listeners = new Set<() => void>();

export function currentTransfers(): Current {
  return current;
}

export function onCurrentChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setCurrent(change: Partial<Current>): void {
  current = { ...current, ...change };
  for (const listener of listeners) listener();
}
