// The import into the drive that this page runs. It continues while the user navigates within the client.
import { useSyncExternalStore } from 'react';
import type { DriveImport, ImportState } from './drive-import.ts';

let current: DriveImport | undefined;
const listeners = new Set<() => void>();

/** Undefined if there is no import, or the user has closed it. */
export function useCurrentImport(): DriveImport | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

export function setCurrentImport(next: DriveImport | undefined): void {
  current = next;
  for (const listener of listeners) listener();
}

export function useImportState(current: DriveImport): ImportState {
  return useSyncExternalStore(current.subscribe, current.snapshot);
}

/** Whether the import, if there is one, has not ended. */
export function useIsImporting(): boolean {
  const present = useCurrentImport();
  return useSyncExternalStore(
    present?.subscribe ?? neverChanges,
    () => present?.snapshot().isRunning === true,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function neverChanges(): () => void {
  return () => undefined;
}
