import { useCallback, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import {
  countSelected,
  isSelected,
  renew,
  type Selection,
  selectAll,
  selectNothing,
  selectOnly,
  toggle,
} from '../../../../ui/grid/selection.ts';
import { notifyError } from '../../../../ui/notifications/notify.ts';
import { type Chosen, chosenOf, type EntrySource } from '../../entry-source.ts';

export interface GridSelection<T> {
  /** The number of selected entries. */
  readonly count: number;
  readonly isAll: boolean;
  /** Whether entries of a selected range are still being loaded. */
  readonly isGathering: boolean;
  readonly isSelected: (id: number) => boolean;
  readonly chosen: () => Chosen<T>;
  readonly clear: () => void;
  readonly selectAll: () => void;
  readonly toggleAll: () => void;
  readonly toggle: (entry: T) => void;
  /** Selects this entry and no other. */
  readonly selectOnly: (entry: T | undefined) => void;
  readonly selectThese: (entries: readonly T[]) => void;
  /** Selects an entry that was picked before it was loaded. */
  readonly selectLoaded: (entry: T) => void;
  /** Selects all entries between two indexes, both included, and loads the missing ones. */
  readonly selectBetween: (one: number, other: number) => void;
}

/** The selected entries of a list. */
export function useGridSelection<T extends EntryRecord>(source: EntrySource<T>): GridSelection<T> {
  const [selection, setSelection] = useState<Selection<T>>(selectNothing);
  const [isGathering, setGathering] = useState(false);
  const gathering = useRef<AbortController>(undefined);
  useEffect(() => () => gathering.current?.abort(), []);

  const { whole } = source;
  useEffect(() => {
    if (whole !== undefined) setSelection((before) => renew(before, whole));
  }, [whole]);

  const count = countSelected(selection, source.total);
  const choose = (next: Selection<T>) => {
    gathering.current?.abort();
    setGathering(false);
    setSelection(next);
  };
  const selectBetween = (one: number, other: number) => {
    const [first, last] = [Math.min(one, other), Math.max(one, other)];
    const loaded = source.loaded(first, last).map(({ entry }) => entry);
    choose(selectOnly(loaded));
    if (loaded.length === last - first + 1) return;
    const attempt = new AbortController();
    gathering.current = attempt;
    const { signal } = attempt;
    setGathering(true);
    source
      .collect(first, last, signal)
      .then((entries) => {
        if (!signal.aborted) choose(selectOnly(entries));
      })
      .catch((error: unknown) => {
        // The user has changed the selection meanwhile.
        if (signal.aborted) return;
        choose(selectNothing());
        notifyError(error);
      });
  };
  return {
    count,
    isAll: count > 0 && count === source.total,
    isGathering,
    isSelected: useCallback((id) => isSelected(selection, id), [selection]),
    chosen: () => toChosen(selection, source, count),
    clear: () => choose(selectNothing()),
    selectAll: () => choose(selectAll()),
    toggleAll: () => choose(count === source.total ? selectNothing() : selectAll()),
    toggle: (entry) => choose(toggle(selection, entry)),
    selectOnly: (entry) => choose(selectOnly(entry === undefined ? [] : [entry])),
    selectThese: (entries) => choose(selectOnly(entries)),
    selectLoaded: (entry) => setSelection(selectOnly([entry])),
    selectBetween,
  };
}

function toChosen<T extends EntryRecord>(
  selection: Selection<T>,
  source: EntrySource<T>,
  count: number,
): Chosen<T> {
  if (selection.kind === 'some') {
    return chosenOf(
      Array.from(selection.entries.values(), (entry) => {
        // Uses the current state of the entry, because it may have been renamed.
        const place = selection.entries.size === 1 ? source.indexOf(entry.id) : undefined;
        return (place === undefined ? undefined : source.at(place)) ?? entry;
      }),
    );
  }
  const { except } = selection;
  const collect = async () =>
    (await source.collect(0, source.total - 1)).filter((entry) => !except.has(entry.id));
  return { count, only: undefined, has: (id) => !except.has(id), collect };
}
