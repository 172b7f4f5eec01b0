import { useEffect, useRef } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { useDriveId } from '../drives/use-drive.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import { findIndex } from '../entries/find-index.ts';

/** The address may name a new entry before the list has it. One or two refreshes later, the list has it. */
const MAX_SEARCHES = 3;

/**
 * Scrolls to the entry named in the address. If the list does not have the entry, searches again whenever the
 * length of the list changes.
 */
export function useSelectedByAddress(
  id: number | undefined,
  source: EntrySource<EntryRecord>,
  goTo: (index: number) => void,
  focus: () => void,
) {
  const sought = useRef<{ readonly id: number; left: number }>(undefined);
  const drive = useDriveId();
  const { total } = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other changes must not start a search
  useEffect(() => {
    if (id === undefined || total === 0) return;
    if (sought.current?.id !== id) sought.current = { id, left: MAX_SEARCHES };
    const search = sought.current;
    if (search.left === 0) return;
    search.left -= 1;
    // The first search that succeeds also ends the others.
    const end = () => {
      const isOpen = sought.current === search;
      if (isOpen) sought.current = { id, left: 0 };
      return isOpen;
    };
    const go = (index: number | undefined) => {
      if (index === undefined || !end()) return;
      goTo(index);
      focus();
    };
    const loaded = source.indexOf(id);
    if (loaded !== undefined) return go(loaded);
    findIndex({ id, drive }, source).then(go, (error) => end() && notifyError(error));
  }, [id, total]);
}
