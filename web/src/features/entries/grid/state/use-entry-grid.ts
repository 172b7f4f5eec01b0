import { type KeyboardEvent, type RefObject, useRef } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { areTogether, type TouchedCells } from '../../../../ui/grid/cells-in-band.ts';
import type { moveTo } from '../../../../ui/grid/grid-moves.ts';
import { type Chosen, chosenOf, type EntrySource } from '../../entry-source.ts';
import { handleKey } from './grid-keys.ts';
import { useActiveEntry } from './use-active-entry.ts';
import { type GridSelection, useGridSelection } from './use-grid-selection.ts';
import { useTypeAhead } from './use-type-ahead.ts';

/** How the grid is displayed. */
interface GridView {
  readonly columns: number;
  readonly lines: number;
  readonly show: (index: number) => void;
  /** Finds the target of an arrow key. Needed if lines have different numbers of entries. */
  readonly moveTo?: typeof moveTo;
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
  /** Opens the menu of the space around the entries. Without it, the browser's own menu opens there. */
  readonly onBackgroundMenu?: ((at: Point) => void) | undefined;
  /**
   * Handles keys other than navigation and selection. Returns whether it did. While the user types a name to
   * jump to, letters belong to that name.
   */
  readonly onKey: (event: KeyboardEvent, active: T | undefined) => boolean;
}

/** The selection and the active entry of a grid. */
export interface EntryGrid<T>
  extends Pick<
    GridSelection<T>,
    'count' | 'isAll' | 'isGathering' | 'isSelected' | 'chosen' | 'clear' | 'toggleAll'
  > {
  readonly source: EntrySource<T>;
  readonly ref: RefObject<HTMLDivElement | null>;
  readonly view: RefObject<GridView>;
  /** -1 before the first action. */
  readonly active: number;
  /** Selects by a click or tap, depending on its modifier keys. */
  readonly pick: (index: number, how: 'only' | 'toggle' | 'range') => void;
  /**
   * Called before a context menu or a drag. Keeps the selection if the entry belongs to it, otherwise selects
   * only that entry.
   */
  readonly include: (index: number) => void;
  readonly open: (index: number) => void;
  /**
   * Opens the menu for an entry, or for the selection if the entry belongs to it. Without an entry, opens it
   * for the selection.
   */
  readonly openMenu: (at: Point, index?: number) => void;
  readonly openBackgroundMenu: ((at: Point) => void) | undefined;
  /** Selects exactly the entries that a rectangle touches. */
  readonly selectBand: (cells: TouchedCells | undefined) => void;
  /** Moves to an entry as if it had been clicked. */
  readonly goTo: (index: number) => void;
  readonly focus: () => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onFocus: () => void;
}

export function useEntryGrid<T extends EntryRecord>(options: GridOptions<T>): EntryGrid<T> {
  const { source, onOpen, onMenu, onBackgroundMenu, onKey } = options;
  const ref = useRef<HTMLDivElement>(null);
  const view = useRef<GridView>({ columns: 1, lines: 10, show: () => undefined });
  const selection = useGridSelection(source);
  const { count, isAll, isGathering, isSelected, chosen, clear, toggleAll } = selection;
  const show = (index: number) => view.current.show(index);
  const { active, setActive, activateFirst, anchor, activate, awaitLoad } = useActiveEntry(
    source,
    show,
    selection.selectLoaded,
  );

  const pick = (index: number, how: 'only' | 'toggle' | 'range') => {
    activate(index);
    if (how === 'range') return selection.selectBetween(anchor.current < 0 ? index : anchor.current, index);
    const entry = source.at(index);
    anchor.current = index;
    if (how === 'only') {
      selection.selectOnly(entry);
      if (entry === undefined) awaitLoad();
    } else if (entry !== undefined) selection.toggle(entry);
  };
  const goTo = (index: number) => pick(index, 'only');
  const selectBand = (cells: TouchedCells | undefined) => {
    if (cells === undefined) return selection.clear();
    // A contiguous range may include entries that are not loaded.
    if (areTogether(cells)) return selection.selectBetween(cells.first, cells.last);
    const loaded = source.loaded(cells.first, cells.last);
    selection.selectThese(loaded.filter(({ index }) => cells.has(index)).map(({ entry }) => entry));
  };
  const include = (index: number) => {
    const entry = source.at(index);
    if (entry === undefined || isSelected(entry.id)) setActive(index);
    else goTo(index);
  };
  const open = (index: number) => {
    const entry = source.at(index);
    if (entry !== undefined) onOpen(entry, index);
  };
  const openMenu = (at: Point, index?: number) => {
    const entry = index === undefined ? undefined : source.at(index);
    if (index !== undefined) setActive(index);
    if (index !== undefined && entry === undefined) return;
    onMenu({ at, chosen: entry === undefined || isSelected(entry.id) ? chosen() : chosenOf([entry]) });
  };
  const openMenuByKey = (frames = MAX_FRAMES) => {
    // The user may have scrolled away from the active entry. Then it is drawn a frame or two later.
    if (active >= 0) show(active);
    const at = findMenuPoint(ref.current, active);
    if (at !== undefined) openMenu(at, active);
    else if (active >= 0 && frames > 0) requestAnimationFrame(() => openMenuByKey(frames - 1));
  };
  const { type, isTyping } = useTypeAhead(source, active, goTo);
  const onKeyDown = (event: KeyboardEvent) =>
    handleKey(event, {
      ...{ active, count, isTyping, type, activate, pick, open, clear, openMenu: () => openMenuByKey() },
      shape: { total: source.total, ...view.current },
      selectAll: selection.selectAll,
      onKey: () => onKey(event, active < 0 ? undefined : source.at(active)),
    });

  return {
    ...{ source, ref, view, active, count, isAll, isGathering, isSelected, chosen, clear, toggleAll },
    ...{ pick, include, open, openMenu, selectBand, goTo, onKeyDown },
    openBackgroundMenu: onBackgroundMenu,
    focus: () => ref.current?.focus({ preventScroll: true }),
    onFocus: () => {
      // The focus event may come right after another entry became active.
      if (source.total > 0) activateFirst();
    },
  };
}

/** How many frames an entry may take to be drawn after scrolling to it. */
const MAX_FRAMES = 10;

/** Where a menu opens that was requested with the keyboard: at the active entry, if it is visible. */
function findMenuPoint(grid: HTMLElement | null, active: number): Point | undefined {
  if (active < 0) return undefined;
  const place = grid?.querySelector(`[data-index="${active}"]`)?.getBoundingClientRect();
  if (place === undefined) return undefined;
  return { x: place.left + 56, y: place.top + Math.min(place.height, 40) };
}
