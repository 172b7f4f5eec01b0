import { useEffect, useRef, useSyncExternalStore } from 'react';

/** What can be added to the shown folder. */
export interface FolderActions {
  readonly pickFiles: () => void;
  readonly pickFolder: () => void;
  readonly newFolder: () => void;
  readonly newText: () => void;
}

type Actions = () => FolderActions;

let offered: Actions | undefined;
const listeners = new Set<() => void>();

function offer(actions: Actions | undefined): void {
  offered = actions;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Offers the actions of the shown folder to the bar of phones, which is outside the page.
 * @param isOn whether something can be added to the folder
 */
export function useOfferedFolderActions(isOn: boolean, actions: FolderActions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!isOn) return;
    const own: Actions = () => latest.current;
    offer(own);
    return () => {
      // The next folder may have offered its actions already.
      if (offered === own) offer(undefined);
    };
  }, [isOn]);
}

/** Returns a function that finds the actions. Undefined if nothing can be added to what the page shows. */
export function useFolderActions(): (() => FolderActions) | undefined {
  return useSyncExternalStore(subscribe, () => offered);
}
