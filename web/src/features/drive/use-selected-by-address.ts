import { useEffect, useRef } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import { findIndex } from '../entries/find-index.ts';

/** Scrolls to the entry named in the address, once it is loaded. */
export function useSelectedByAddress(
  id: number | undefined,
  source: EntrySource<EntryRecord>,
  goTo: (index: number) => void,
  focus: () => void,
) {
  const sought = useRef<number>(undefined);
  const isReady = source.total > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list and the rest are those of the moment
  useEffect(() => {
    if (id === undefined || !isReady || sought.current === id) return;
    sought.current = id;
    const go = (index: number | undefined) => {
      if (index === undefined || sought.current !== id) return;
      goTo(index);
      focus();
    };
    const loaded = source.indexOf(id);
    if (loaded !== undefined) return go(loaded);
    findIndex(id, source).then(go).catch(notifyError);
  }, [id, isReady]);
}
