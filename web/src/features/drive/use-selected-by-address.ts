import { useEffect, useRef } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import { findIndex } from '../entries/find-index.ts';

/**
 * Scrolls to the entry named in the address. A new entry may be named before the list has it, so it is looked
 * for again when the list has another length.
 */
export function useSelectedByAddress(
  id: number | undefined,
  source: EntrySource<EntryRecord>,
  goTo: (index: number) => void,
  focus: () => void,
) {
  const wanted = useRef(id);
  const reached = useRef<number>(undefined);
  const { total } = source;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list and the rest are those of the moment
  useEffect(() => {
    wanted.current = id;
    if (id === undefined || total === 0 || reached.current === id) return;
    const go = (index: number | undefined) => {
      if (index === undefined || wanted.current !== id || reached.current === id) return;
      reached.current = id;
      goTo(index);
      focus();
    };
    const loaded = source.indexOf(id);
    if (loaded !== undefined) return go(loaded);
    findIndex(id, source).then(go).catch(notifyError);
  }, [id, total]);
}
