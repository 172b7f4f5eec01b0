import { type RefObject, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import type { EntrySource } from '../../entry-source.ts';

interface ActiveEntry {
  /** The index of the entry with the keyboard focus; -1 for none. */
  readonly active: number;
  /** Makes an entry the active one. */
  readonly setActive: (index: number) => void;
  /** Makes the first entry the active one if there is none. */
  readonly activateFirst: () => void;
  /** The index where a selected range begins; -1 if there is none. It moves with the active entry. */
  readonly anchor: RefObject<number>;
  /** Makes an entry the active one and shows it. */
  readonly activate: (index: number) => void;
  /** Reports the active entry to `onLoaded` as soon as it is loaded. */
  readonly awaitLoad: () => void;
}

const NONE = -1;

/** Remembers which entry has the keyboard focus. The index follows that entry when the list changes. */
export function useActiveEntry<T extends EntryRecord>(
  source: EntrySource<T>,
  show: (index: number) => void,
  onLoaded: (entry: T) => void,
): ActiveEntry {
  const [active, setIndex] = useState(NONE);
  const anchor = useRef(NONE);
  /**
   * The active entry, up to date even before the next render: its index, its id (to find it again when the
   * list has changed), and whether to select it once it is loaded.
   */
  const latest = useRef<{ index: number; id: number | undefined; isWished: boolean }>({
    index: NONE,
    id: undefined,
    isWished: false,
  });

  useEffect(() => {
    const { index, id, isWished } = latest.current;
    // Before React runs this effect, a key may already have made another entry active.
    if (active < 0 || active !== index) return;
    const entry = source.at(index);
    if (id === undefined && entry !== undefined) {
      if (isWished) onLoaded(entry);
      latest.current = { index, id: entry.id, isWished: false };
    } else if (id !== undefined && entry !== undefined && entry.id !== id) {
      const place = source.indexOf(id);
      if (place === undefined) latest.current = { index, id: entry.id, isWished: false };
      else followTo(place);
    } else if (source.total > 0 && index >= source.total) {
      followTo(source.total - 1);
    }
  });

  const setActive = (index: number) => {
    setIndex(index);
    latest.current = { index, id: source.at(index)?.id, isWished: false };
  };
  const followTo = (index: number) => {
    if (anchor.current === active) anchor.current = index;
    setActive(index);
  };
  const activate = (index: number) => {
    setActive(index);
    show(index);
  };
  const activateFirst = () => {
    if (latest.current.index < 0) setActive(0);
  };
  const awaitLoad = () => {
    latest.current = { index: latest.current.index, id: undefined, isWished: true };
  };
  return { active, setActive, activateFirst, anchor, activate, awaitLoad };
}
