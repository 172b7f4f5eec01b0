import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import type { EntrySource } from '../entry-source.ts';

interface ActiveEntry {
  /** The index of the entry that has the keyboard focus; -1 for none. */
  readonly active: number;
  readonly setActive: Dispatch<SetStateAction<number>>;
  /** The index where a selected range begins; -1 if there is none. It moves with the active entry. */
  readonly anchor: RefObject<number>;
  /** Makes an entry the active one and shows it. */
  readonly activate: (index: number) => void;
  /** Reports the active entry to `onLoaded` as soon as it is loaded. */
  readonly awaitLoad: () => void;
}

/** Remembers which entry has the keyboard focus. The index follows that entry when the list changes. */
export function useActiveEntry<T extends EntryRecord>(
  source: EntrySource<T>,
  show: (index: number) => void,
  onLoaded: (entry: T) => void,
): ActiveEntry {
  const [active, setActive] = useState(-1);
  const anchor = useRef(-1);
  /**
   * The id of the active entry, to find it again after the list has changed; and whether to select it once it
   * is loaded.
   */
  const follow = useRef<{ id: number | undefined; isWished: boolean }>({ id: undefined, isWished: false });

  useEffect(() => {
    if (active < 0) return;
    const entry = source.at(active);
    if (follow.current.id === undefined && entry !== undefined) {
      if (follow.current.isWished) onLoaded(entry);
      follow.current = { id: entry.id, isWished: false };
    } else if (follow.current.id !== undefined && entry !== undefined && entry.id !== follow.current.id) {
      const place = source.indexOf(follow.current.id);
      if (place === undefined) follow.current = { id: entry.id, isWished: false };
      else moveActive(place);
    } else if (source.total > 0 && active >= source.total) {
      moveActive(source.total - 1);
    }
  });

  const moveActive = (index: number) => {
    if (anchor.current === active) anchor.current = index;
    setActive(index);
    follow.current = { id: source.at(index)?.id, isWished: false };
  };
  const activate = (index: number) => {
    setActive(index);
    follow.current = { id: source.at(index)?.id, isWished: false };
    show(index);
  };
  const awaitLoad = () => {
    follow.current = { id: undefined, isWished: true };
  };
  return { active, setActive, anchor, activate, awaitLoad };
}
