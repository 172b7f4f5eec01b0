import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { findByPrefix, moveTo } from '../../../ui/grid/grid-moves.ts';
import {
  countSelected,
  isSelected,
  renew,
  type Selection,
  selectAll,
  selectNothing,
  selectOnly,
  toggle,
} from '../../../ui/grid/selection.ts';
import { tellError } from '../../../ui/tell.ts';
import { type Chosen, chosenOf, type EntrySource } from '../entry-source.ts';

/** How far typing searches for a name around the active entry: as much as may be loaded. */
const TYPING_REACH = 5_000;
const TYPING_MS = 800;

/** How the grid is displayed. */
export interface GridView {
  readonly columns: number;
  readonly lines: number;
  readonly show: (index: number) => void;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An open menu: its position and its entries. */
export interface GridMenu<T> {
  readonly at: Point;
  readonly chosen: Chosen<T>;
}

interface GridOptions<T> {
  readonly source: EntrySource<T>;
  readonly onOpen: (entry: T, index: number) => void;
  readonly onMenu: (menu: GridMenu<T>) => void;
  /** Handles keys other than navigation and selection. Returns whether it handled the key. */
  readonly onKey: (event: KeyboardEvent, active: T | undefined) => boolean;
}

/** The selection and the active entry of a grid. */
export interface EntryGrid<T> {
  readonly source: EntrySource<T>;
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly view: RefObject<GridView>;
  /** -1 before the first action. */
  readonly active: number;
  /** The number of selected entries. */
  readonly count: number;
  readonly isAll: boolean;
  /** A range that is not loaded yet is being selected. */
  readonly isGathering: boolean;
  readonly isSelected: (id: number) => boolean;
  readonly chosen: () => Chosen<T>;
  readonly clear: () => void;
  readonly toggleAll: () => void;
  /** A click or tap, with its modifier keys. */
  readonly pick: (index: number, how: 'only' | 'toggle' | 'range') => void;
  /**
   * Before a context menu or a drag: the selection if the entry belongs to it, otherwise that entry alone.
   */
  readonly include: (index: number) => void;
  readonly open: (index: number) => void;
  /**
   * The entries of an action: the given one, or the selection if it belongs to it; without an entry the
   * selection.
   */
  readonly openMenu: (at: Point, index?: number) => void;
  /** Moves to an entry as if it had been clicked. */
  readonly goTo: (index: number) => void;
  readonly focus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
}

export function useEntryGrid<T extends EntryRecord>(options: GridOptions<T>): EntryGrid<T> {
  const { source, onOpen, onMenu, onKey } = options;
  const [selection, setSelection] = useState<Selection<T>>(selectNothing);
  const [active, setActive] = useState(-1);
  const [isGathering, setGathering] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const view = useRef<GridView>({ columns: 1, lines: 10, show: () => undefined });
  const anchor = useRef(-1);
  /**
   * The id of the active entry, to find it again after the list has changed; and whether to select it once it
   * is loaded.
   */
  const follow = useRef<{ id: number | undefined; isWished: boolean }>({ id: undefined, isWished: false });
  const attempt = useRef(0);
  const typed = useRef({ text: '', at: 0 });

  const { whole } = source;
  useEffect(() => {
    if (whole !== undefined) setSelection((before) => renew(before, whole));
  }, [whole]);

  useEffect(() => {
    if (active < 0) return;
    const entry = source.at(active);
    if (follow.current.id === undefined && entry !== undefined) {
      if (follow.current.isWished) setSelection(selectOnly([entry]));
      follow.current = { id: entry.id, isWished: false };
    } else if (follow.current.id !== undefined && entry !== undefined && entry.id !== follow.current.id) {
      const place = source.indexOf(follow.current.id);
      if (place === undefined) follow.current = { id: entry.id, isWished: false };
      else moveActive(place);
    } else if (source.total > 0 && active >= source.total) {
      moveActive(source.total - 1);
    }
  });

  const count = countSelected(selection, source.total);
  const choose = (next: Selection<T>) => {
    attempt.current += 1;
    setGathering(false);
    setSelection(next);
  };
  const moveActive = (index: number) => {
    if (anchor.current === active) anchor.current = index;
    setActive(index);
    follow.current = { id: source.at(index)?.id, isWished: false };
  };
  const activate = (index: number) => {
    setActive(index);
    follow.current = { id: source.at(index)?.id, isWished: false };
    view.current.show(index);
  };
  const selectOne = (index: number) => {
    const entry = source.at(index);
    anchor.current = index;
    choose(selectOnly(entry === undefined ? [] : [entry]));
    if (entry === undefined) follow.current = { id: undefined, isWished: true };
  };
  const selectRange = (to: number) => {
    const from = anchor.current < 0 ? to : anchor.current;
    const [first, last] = [Math.min(from, to), Math.max(from, to)];
    const loaded: T[] = [];
    for (let index = first; index <= last; index++) {
      const entry = source.at(index);
      if (entry !== undefined) loaded.push(entry);
    }
    choose(selectOnly(loaded));
    if (loaded.length === last - first + 1) return;
    const mine = attempt.current;
    setGathering(true);
    source
      .collect(first, last)
      .then((entries) => {
        if (attempt.current === mine) choose(selectOnly(entries));
      })
      .catch((error: unknown) => {
        if (attempt.current === mine) choose(selectNothing());
        tellError(error);
      });
  };
  const pick = (index: number, how: 'only' | 'toggle' | 'range') => {
    activate(index);
    if (how === 'range') return selectRange(index);
    if (how === 'only') return selectOne(index);
    const entry = source.at(index);
    anchor.current = index;
    if (entry !== undefined) choose(toggle(selection, entry));
  };
  const include = (index: number) => {
    const entry = source.at(index);
    if (entry === undefined || isSelected(selection, entry.id)) setActive(index);
    else pick(index, 'only');
  };
  const open = (index: number) => {
    const entry = source.at(index);
    if (entry !== undefined) onOpen(entry, index);
  };
  const openMenu = (at: Point, index?: number) => {
    const entry = index === undefined ? undefined : source.at(index);
    if (index !== undefined) setActive(index);
    if (index !== undefined && entry === undefined) return;
    onMenu({
      at,
      chosen: entry === undefined || isSelected(selection, entry.id) ? chosen() : chosenOf([entry]),
    });
  };
  const openMenuByKey = () => {
    if (active < 0) return;
    const place = ref.current?.querySelector(`[data-index="${active}"]`)?.getBoundingClientRect();
    if (place !== undefined)
      openMenu({ x: place.left + 56, y: place.top + Math.min(place.height, 40) }, active);
  };
  const chosen = (): Chosen<T> => {
    if (selection.kind === 'some') {
      return chosenOf(
        Array.from(selection.entries.values(), (entry) => {
          // In its present state, in case it was renamed meanwhile.
          const place = selection.entries.size === 1 ? source.indexOf(entry.id) : undefined;
          return (place === undefined ? undefined : source.at(place)) ?? entry;
        }),
      );
    }
    const { except } = selection;
    const collect = async () =>
      (await source.collect(0, source.total - 1)).filter((entry) => !except.has(entry.id));
    return { count, only: undefined, collect };
  };
  const type = (letter: string) => {
    const { text, at } = typed.current;
    const now = Date.now();
    const isMore = now - at < TYPING_MS;
    typed.current = { text: isMore ? text + letter : letter, at: now };
    const from = Math.max(0, active - TYPING_REACH);
    const to = Math.min(source.total, Math.max(active, 0) + TYPING_REACH);
    const names = Array.from({ length: to - from }, (_, step) => source.at(from + step)?.filename);
    // A new prefix searches from the next entry; a longer one stays if the entry still matches.
    const found = findByPrefix(names, typed.current.text, active - from + (isMore ? 0 : 1));
    if (found === undefined) return;
    activate(from + found);
    selectOne(from + found);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForAnother(event)) return;
    const { key, shiftKey } = event;
    const isControl = event.ctrlKey || event.metaKey;
    const handled = () => {
      event.preventDefault();
      event.stopPropagation();
    };
    if (onKey(event, active < 0 ? undefined : source.at(active))) return handled();
    if (event.altKey) return;
    if (isControl && key.toLowerCase() === 'a') {
      handled();
      if (source.total > 0) choose(selectAll());
      return;
    }
    const to = moveTo(key, active, { total: source.total, ...view.current });
    if (to !== undefined) {
      handled();
      activate(to);
      if (shiftKey) selectRange(to);
      else if (!isControl) selectOne(to);
      return;
    }
    if (key === 'ContextMenu' || (shiftKey && key === 'F10')) {
      handled();
      openMenuByKey();
    } else if (key === 'Enter' && active >= 0) {
      handled();
      open(active);
    } else if (key === ' ' && active >= 0 && Date.now() - typed.current.at > TYPING_MS) {
      handled();
      pick(active, 'toggle');
    } else if (key === 'Escape' && count > 0) {
      handled();
      choose(selectNothing());
    } else if (!isControl && key.length === 1 && source.total > 0) {
      handled();
      type(key);
    }
  };

  return {
    source,
    ref,
    view,
    active,
    count,
    isAll: count > 0 && count === source.total,
    isGathering,
    isSelected: (id) => isSelected(selection, id),
    chosen,
    clear: () => choose(selectNothing()),
    toggleAll: () => choose(count === source.total ? selectNothing() : selectAll()),
    pick,
    include,
    open,
    openMenu,
    goTo: (index) => {
      activate(index);
      selectOne(index);
    },
    focus: () => ref.current?.focus({ preventScroll: true }),
    onKeyDown,
    onFocus: () => {
      if (active < 0 && source.total > 0) setActive(0);
    },
  };
}

/** The user is typing in a field of the grid, or a button in it has the focus. */
function isForAnother({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input:not([type="checkbox"])') !== null) return true;
  return target.closest('button, [type="checkbox"]') !== null && (key === 'Enter' || key === ' ');
}
