import { useMediaQuery } from '@mantine/hooks';
import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../../api/stored.ts';

const KEY = 'holdall.details-dock';
/** Wide enough for the navigation, a list with all its columns, and the details. */
const WIDE = '(min-width: 75em)';

let isOpenNow: boolean | undefined;
const listeners = new Set<() => void>();

interface DetailsDockState {
  /** Whether the screen has room for the details. */
  readonly isPossible: boolean;
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
}

/** Whether the details are shown beside the lists. This device remembers the choice. */
export function useDetailsDock(): DetailsDockState {
  const isPossible = useMediaQuery(WIDE, false, { getInitialValueInEffect: false }) ?? false;
  const isOpen = useSyncExternalStore(onChange, readOpen);
  return { isPossible, isOpen, setOpen };
}

function setOpen(isOpen: boolean): void {
  isOpenNow = isOpen;
  writeStored(KEY, isOpen ? 'open' : undefined);
  for (const listener of listeners) listener();
}

function readOpen(): boolean {
  isOpenNow ??= readStored(KEY) === 'open';
  return isOpenNow;
}

function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
