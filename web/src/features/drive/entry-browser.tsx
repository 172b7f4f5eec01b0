import { Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import { useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import { asksForDetails, type PressedKey } from '../details/details-key.ts';
import { type Chosen, chosenOf, type EntrySource } from '../entries/entry-source.ts';
import { findIndex } from '../entries/find-index.ts';
import type { Sorting } from '../entries/grid/column.ts';
import { EntryRows } from '../entries/grid/entry-rows.tsx';
import { EntryTiles, type TileSize, type TilesProps } from '../entries/grid/entry-tiles.tsx';
import { useEntryDrag } from '../entries/grid/pointer/use-entry-drag.ts';
import {
  type EntryGrid,
  type GridMenu,
  type Point,
  useEntryGrid,
} from '../entries/grid/state/use-entry-grid.ts';
import { useFirstFocus } from '../entries/grid/state/use-first-focus.ts';
import type { EntryAction } from './actions/entry-actions.ts';
import { SelectionBar } from './actions/selection-bar.tsx';
import { useEntryActions } from './actions/use-entry-actions.tsx';
import {
  type CopiedEntries,
  cancelCut,
  findCut,
  hasCopiedEntries,
  onCutChange,
  takeFromClipboard,
} from './clipboard/entry-clipboard.ts';
import { useEntryClipboard } from './clipboard/use-entry-clipboard.ts';
import { DetailsToggle } from './details-toggle.tsx';
import styles from './entry-browser.module.css';
import { useDetailsDock } from './use-details-dock.ts';
import { type ListedTime, useEntryColumns } from './use-entry-columns.tsx';
import { useKeysWithoutList } from './use-keys-without-list.ts';
import { useRename } from './use-rename.ts';

const DetailsDock = lazyPart(async () => (await import('../details/details-dock.tsx')).DetailsDock);
const EntryMenu = lazyPart(async () => (await import('./actions/entry-menu.tsx')).EntryMenu);

/** The number of neighbours on each side that can be reached from a preview. */
const AROUND = 500;

interface BrowserProps {
  readonly source: EntrySource<EntryRecord>;
  readonly label: string;
  readonly view?: 'list' | 'tiles';
  readonly tileSize?: TileSize;
  /** Renders the entries, instead of the list or the tiles. */
  readonly renderGrid?: (props: TilesProps) => ReactNode;
  readonly showPath?: boolean;
  /** The time that is shown with each entry. */
  readonly time?: ListedTime;
  readonly sorting?: Sorting;
  /** Shown above the list while nothing is selected. */
  readonly status?: ReactNode;
  /** The title of the page, where the height is so little that it shares the line of the toolbar. */
  readonly heading?: ReactNode;
  /** Always shown at the end of the toolbar. */
  readonly tools?: ReactNode;
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  /** The id of the entry to scroll to and select, once. */
  readonly select?: number | undefined;
  /** The folder of all entries, into which others can be pasted. */
  readonly directory?: string;
  /** Renders the menu of the space beside the entries. */
  readonly backgroundMenu?: (background: Background) => ReactNode;
  /** Goes to the parent folder. */
  readonly onUp?: () => void;
  readonly onHelp?: () => void;
  /** The scroll position at the last visit, and where to store it. */
  readonly place?: ScrollPlace;
}

/** The data of the list for the menu of the space beside the entries. */
export interface Background {
  readonly at: Point | undefined;
  readonly canPaste: boolean;
  readonly onPaste: () => void;
  readonly onSelectAll: (() => void) | undefined;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

export interface ScrollPlace {
  top: number;
  active: number;
}

/**
 * Files and folders with all their actions: the common part of the drive, the search and the recent files.
 */
export function EntryBrowser(props: BrowserProps) {
  const { source, label, view = 'list', showPath = false, sorting, status, tools, empty, select } = props;
  const { tileSize = 'medium' } = props;
  const { directory, backgroundMenu, onUp, onHelp, place, time = 'modifiedAt', renderGrid, heading } = props;
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const hasMouse = useMediaQuery('(any-pointer: fine)', true, { getInitialValueInEffect: false }) ?? true;
  const columns = useEntryColumns({ isNarrow, showPath, time });
  const [menu, setMenu] = useState<GridMenu<EntryRecord>>();
  const [backgroundAt, setBackgroundAt] = useState<Point>();
  const [hadMenu, setHadMenu] = useState(false);
  if (menu !== undefined && !hadMenu) setHadMenu(true);
  const [hadBackground, setHadBackground] = useState(false);
  if (backgroundAt !== undefined && !hadBackground) setHadBackground(true);

  const grid = useEntryGrid({
    source,
    onOpen: (entry) => actions.open(entry),
    onMenu: setMenu,
    onBackgroundMenu: backgroundMenu && setBackgroundAt,
    onKey: (event, active) => onKey(event, active),
  });
  const { renaming, startRename } = useRename(source, grid.focus);
  const actions = useEntryActions({
    directory,
    find: (id) => source.at(source.indexOf(id) ?? -1),
    around: (entry) => neighboursOf(entry, source),
    onRename: ({ id }) => startRename(id),
    onSeen: ({ id }) => {
      const index = source.indexOf(id);
      if (index !== undefined) grid.goTo(index);
    },
    onClosed: grid.focus,
    onGone: grid.clear,
  });
  const dock = useDetailsDock();
  const actOn = (action: EntryAction, chosen: Chosen<EntryRecord>) => {
    const { only } = chosen;
    if (action !== 'details' || only === undefined || !dock.isPossible) return actions.act(action, chosen);
    const index = source.indexOf(only.id);
    if (index !== undefined) grid.goTo(index);
    dock.setOpen(true);
  };
  const act = (action: EntryAction) => actOn(action, grid.chosen());
  const toggleDetails = () => {
    if (dock.isPossible) dock.setOpen(!dock.isOpen);
    else if (grid.count === 1) act('details');
  };
  const onKey = (event: PressedKey, active: EntryRecord | undefined): boolean => {
    const { key, altKey } = event;
    if (asksForDetails(event)) {
      toggleDetails();
      return true;
    }
    if ((key === 'Backspace' || (altKey && key === 'ArrowUp')) && onUp !== undefined) onUp();
    else if (key === '?' && onHelp !== undefined) onHelp();
    else if (key === 'F2' && active !== undefined) startRename(active.id);
    else if (key === 'Delete' && grid.count > 0) act('recycle');
    else if (key === 'Escape') return cancelCut();
    else return false;
    return true;
  };

  const paste = (copied: CopiedEntries, into: string) =>
    actions.moveInto(into, copied.chosen, copied.kind === 'copy');
  useEntryClipboard({ directory, chosen: () => selectedOrActive(grid), onPaste: paste });
  const background = useBackground({ at: backgroundAt, setAt: setBackgroundAt, grid, directory, paste });
  const drag = useEntryDrag(grid, actions.moveInto);
  useSelectedByAddress(select, source, grid.goTo, grid.focus);
  usePlace(place, grid);
  // Not on a phone, where a frame around the first entry has no meaning.
  useFirstFocus(grid.focus, hasMouse && source.total > 0);
  useKeysWithoutList(source.total === 0, onKey);

  const isCut = useSyncExternalStore(onCutChange, findCut);
  const { isMoving } = actions;

  const hasDock = dock.isPossible && source.total > 0;
  const shared = {
    grid,
    label,
    isNarrow,
    isLow,
    renaming,
    drag: hasMouse ? drag : undefined,
    isLeaving: (id: number) => isCut(id) || isMoving(id),
    startAt: place?.top,
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu repeats what buttons of the page do
    <div
      className={styles.browser}
      onContextMenu={(event) => {
        // A list handles its own.
        if (source.total > 0 || backgroundMenu === undefined) return;
        event.preventDefault();
        setBackgroundAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <div className={styles.list}>
        <Group className={styles.bar} wrap="nowrap" justify="space-between" gap="xs">
          {heading !== undefined && (
            // The page still has its title for screen readers.
            <div className={grid.count > 0 ? styles.away : styles.heading}>{heading}</div>
          )}
          {grid.count > 0 ? (
            <SelectionBar grid={grid} isNarrow={isNarrow} isCompact={hasDock && dock.isOpen} onAct={act} />
          ) : (
            heading === undefined && <div>{status}</div>
          )}
          {!((isNarrow || isLow) && grid.count > 0) && (
            <Group gap={0} wrap="nowrap">
              {tools}
              {hasDock && <DetailsToggle isOpen={dock.isOpen} onToggle={toggleDetails} />}
            </Group>
          )}
        </Group>
        {source.total === 0 ? (
          empty
        ) : renderGrid !== undefined ? (
          renderGrid(shared)
        ) : view === 'tiles' ? (
          <EntryTiles {...shared} size={tileSize} />
        ) : (
          <EntryRows {...shared} columns={columns} sorting={sorting} />
        )}
      </div>
      {hasDock && dock.isOpen && (
        <Suspense fallback={null}>
          <DetailsDock
            entry={onlySelected(grid)}
            selectedCount={grid.count}
            onClose={() => {
              dock.setOpen(false);
              grid.focus();
            }}
          />
        </Suspense>
      )}
      <Suspense>
        {hadMenu && (
          <EntryMenu
            menu={menu}
            canReveal={showPath}
            onAct={actOn}
            onClose={() => setMenu(undefined)}
            onFocusBack={grid.focus}
          />
        )}
      </Suspense>
      {backgroundMenu !== undefined && hadBackground && backgroundMenu(background)}
      {actions.dialogs}
    </div>
  );
}

/** The entries to copy or cut: the selection, or else the entry that has the keyboard focus. */
function selectedOrActive({
  count,
  source,
  active,
  ref,
  chosen,
}: EntryGrid<EntryRecord>): Chosen<EntryRecord> {
  const isAtGrid = ref.current !== null && ref.current === document.activeElement;
  const entry = count === 0 && isAtGrid ? source.at(active) : undefined;
  return entry === undefined ? chosen() : chosenOf([entry]);
}

/** The selected entry, if there is exactly one. */
function onlySelected(grid: EntryGrid<EntryRecord>): EntryRecord | undefined {
  if (grid.count !== 1) return undefined;
  return grid.isAll ? grid.source.at(0) : grid.chosen().only;
}

function useBackground(parts: {
  readonly at: Point | undefined;
  readonly setAt: (at: undefined) => void;
  readonly grid: EntryGrid<EntryRecord>;
  readonly directory: string | undefined;
  readonly paste: (copied: CopiedEntries, directory: string) => void;
}): Background {
  const { at, setAt, grid, directory, paste } = parts;
  return {
    at,
    canPaste: directory !== undefined && hasCopiedEntries(),
    onPaste: () => {
      const copied = takeFromClipboard();
      if (copied !== undefined && directory !== undefined) paste(copied, directory);
    },
    onSelectAll: grid.source.total === 0 || grid.isAll ? undefined : grid.toggleAll,
    onClose: () => setAt(undefined),
    onFocusBack: grid.focus,
  };
}

/** The loaded entries near an entry, in the order of the list, and the entry itself. */
function neighboursOf(entry: EntryRecord, source: EntrySource<EntryRecord>): EntryRecord[] {
  const at = source.indexOf(entry.id) ?? 0;
  const found: EntryRecord[] = [];
  for (let index = Math.max(0, at - AROUND); index < Math.min(source.total, at + AROUND); index++) {
    const other = source.at(index);
    if (other !== undefined) found.push(other);
  }
  return found;
}

/** Scrolls to the entry named in the address, once it is loaded. */
function useSelectedByAddress(
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
function usePlace(
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
    const keep = () => {
      place.top = list.scrollTop;
    };
    list.addEventListener('scroll', keep, { passive: true });
    return () => {
      list.removeEventListener('scroll', keep);
      place.active = now.current;
    };
  });
}
