import { useEffect, useRef } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import { findIndex } from '../entries/find-index.ts';

export interface ScrollPlace {
  top: number;
  active: number;
}

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

/** Stores the scroll position for the next visit. */
export function useScrollPlace(
  place: ScrollPlace | undefined,
  { ref, active }: { ref: { current: HTMLElement | null }; active: number },
) {
  const now = useRef(active);
  useEffect(() => {
    now.current = active;
  });
  useEffect(() => {
    const list = ref.current;
    if (place === undefined || list === null) return;
    const storeTop = () => {
      place.top = list.scrollTop;
    };
    list.addEventListener('scroll', storeTop, { passive: true });
    return () => {
      list.removeEventListener('scroll', storeTop);
      place.active = now.current;
    };
  });
}
