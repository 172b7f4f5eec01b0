import { useSyncExternalStore } from 'react';
import type { DriveId } from '../../../api/in-drive.ts';

/** The tasks that this page has queued and whose end has not been reported yet, with their drives. */
let queued: ReadonlyMap<number, DriveId> = new Map();
const listeners = new Set<() => void>();

/** Makes the page report the end of the task, also while it shows another drive. */
export function watchTask(id: number, drive: DriveId): void {
  set(new Map(queued).set(id, drive));
}

export function forgetTasks(ids: readonly number[]): void {
  if (!ids.some((id) => queued.has(id))) return;
  set(new Map([...queued].filter(([id]) => !ids.includes(id))));
}

export function useQueuedTasks(): ReadonlyMap<number, DriveId> {
  return useSyncExternalStore(subscribe, () => queued);
}

function set(next: ReadonlyMap<number, DriveId>): void {
  queued = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
