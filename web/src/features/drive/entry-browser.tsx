import { type ReactNode, Suspense, useCallback, useSyncExternalStore } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { lazyPart } from '../../common/timing/lazy-part.ts';
import { useHasMouse, useIsLow, useIsNarrow } from '../../ui/screen-size.ts';
import type { EntrySource } from '../entries/entry-source.ts';
import type { Column, Sorting } from '../entries/grid/column.ts';
import { EntryRows } from '../entries/grid/entry-rows.tsx';
import { EntryTiles, type TilesProps } from '../entries/grid/entry-tiles.tsx';
import { useEntryDrag } from '../entries/grid/pointer/use-entry-drag.ts';
import type { ChosenColumn, TileSize } from '../entries/grid/state/display-settings.ts';
import type { EntryGrid } from '../entries/grid/state/use-entry-grid.ts';
import { useFirstFocus } from '../entries/grid/state/use-first-focus.ts';
import { BrowserToolbar } from './browser-toolbar.tsx';
import type { ListedTime } from './chosen-columns.tsx';
import { findCut, onCutChange } from './clipboard/entry-clipboard.ts';
import styles from './entry-browser.module.css';
import { type Background, useEntryBrowser } from './use-entry-browser.ts';
import { useEntryColumns } from './use-entry-columns.tsx';
import { type ScrollPlace, useScrollPlace } from './use-scroll-place.ts';
import { useSelectedByAddress } from './use-selected-by-address.ts';

const DetailsDock = lazyPart(async () => (await import('../details/details-dock.tsx')).DetailsDock);
const EntryMenu = lazyPart(async () => (await import('./actions/entry-menu.tsx')).EntryMenu);

interface BrowserProps {
  readonly source: EntrySource<EntryRecord>;
  /** Whether the entries are being loaded for the first time. */
  readonly isLoading?: boolean;
  readonly label: string;
  readonly view?: 'list' | 'tiles';
  readonly tileSize?: TileSize;
  /** Renders the entries in place of the list or tiles. */
  readonly renderGrid?: (props: TilesProps) => ReactNode;
  readonly showPath?: boolean;
  readonly showDrive?: boolean;
  /** A line below each entry. The object must stay the same while its content does. */
  readonly below?: Column<EntryRecord> | undefined;
  /** The time that is shown with each entry. */
  readonly time?: ListedTime;
  /** The columns after the name that the user has chosen. */
  readonly columns?: readonly ChosenColumn[];
  /** A button at the end of the column heads. */
  readonly columnMenu?: ReactNode;
  readonly sorting?: Sorting;
  /** Shown above the list while nothing is selected. */
  readonly status?: ReactNode;
  /** The title of the page. Set only in windows of so little height that it shares the toolbar's line. */
  readonly heading?: ReactNode;
  /** Always shown at the end of the toolbar. */
  readonly tools?: ReactNode;
  /** Shown instead of an empty list. */
  readonly empty?: ReactNode;
  /** The id of the entry to scroll to and select, once. */
  readonly select?: number | undefined;
  /** The folder that contains all entries. Other entries can be pasted into it. */
  readonly directory?: string;
  /** Renders the menu of the space around the entries. */
  readonly backgroundMenu?: (background: Background) => ReactNode;
  /** Goes to the parent folder. */
  readonly onUp?: () => void;
  readonly onHelp?: () => void;
  /** Where the scroll position is stored between visits. */
  readonly place?: ScrollPlace;
}

/**
 * Files and folders with all their actions. The drive, the search and the recent files share it.
 */
export function EntryBrowser(props: BrowserProps) {
  const { source, label, view = 'list', tileSize = 'medium', showPath = false, time = 'modifiedAt' } = props;
  const { renderGrid, backgroundMenu, place, below } = props;
  const isNarrow = useIsNarrow();
  const isLow = useIsLow();
  const hasMouse = useHasMouse();
  const isAcrossDrives = props.showDrive === true;
  const columns = useEntryColumns({
    ...{ isNarrow, showPath, showDrive: isAcrossDrives, time, below },
    chosen: props.columns,
  });
  const browser = useEntryBrowser({
    source,
    directory: props.directory,
    isAcrossDrives,
    hasBackgroundMenu: backgroundMenu !== undefined,
    onUp: props.onUp,
    onHelp: props.onHelp,
  });
  const { grid, renaming, actions, dock } = browser;
  const findSelected = useSelected(grid);
  const drag = useEntryDrag(grid, actions.moveInto);
  useSelectedByAddress(props.select, source, grid.goTo, grid.focus);
  useScrollPlace(place, grid);
  // Not on a phone, where an outline around the first entry is pointless.
  useFirstFocus(grid.focus, hasMouse && source.total > 0);
  const isCut = useSyncExternalStore(onCutChange, findCut);
  const { isMoving } = actions;
  const hasDock = dock.isPossible && source.total > 0;
  // The button keeps its space while entries are loading, so nothing moves when they arrive.
  const hasToggle = hasDock || (dock.isPossible && props.isLoading === true);
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
  const renderEntries = () => {
    if (renderGrid !== undefined) return renderGrid(shared);
    if (view === 'tiles') return <EntryTiles {...shared} size={tileSize} />;
    const { sorting, columnMenu } = props;
    return <EntryRows {...shared} columns={columns} sorting={sorting} columnMenu={columnMenu} />;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: buttons of the page do the same as the menu
    <div
      className={styles.browser}
      onContextMenu={(event) => {
        // A list handles its own context menu.
        if (source.total > 0 || backgroundMenu === undefined) return;
        event.preventDefault();
        browser.openBackground({ x: event.clientX, y: event.clientY });
      }}
    >
      <div className={styles.list}>
        <BrowserToolbar
          grid={grid}
          isNarrow={isNarrow}
          isLow={isLow}
          heading={props.heading}
          status={props.status}
          tools={props.tools}
          areDetailsOpen={hasToggle ? hasDock && dock.isOpen : undefined}
          onToggleDetails={browser.toggleDetails}
          isEditable={browser.isEditable}
          onAct={browser.act}
        />
        {source.total === 0 ? props.empty : renderEntries()}
      </div>
      {hasDock && dock.isOpen && (
        <Suspense fallback={null}>
          <DetailsDock
            entry={onlySelected(grid)}
            selectedCount={grid.count}
            findSelected={findSelected}
            onClose={() => {
              dock.setOpen(false);
              grid.focus();
            }}
          />
        </Suspense>
      )}
      <Suspense>
        {browser.hadMenu && (
          <EntryMenu
            menu={browser.menu}
            canReveal={showPath}
            isEditable={browser.isEditable}
            onAct={browser.actOn}
            onClose={browser.closeMenu}
            onFocusBack={grid.focus}
          />
        )}
      </Suspense>
      {backgroundMenu !== undefined && browser.hadBackground && backgroundMenu(browser.background)}
      {actions.dialogs}
    </div>
  );
}

/** The selected entry, if there is exactly one. */
function onlySelected(grid: EntryGrid<EntryRecord>): EntryRecord | undefined {
  if (grid.count !== 1) return undefined;
  return grid.isAll ? grid.source.at(0) : grid.chosen().only;
}

/** Finds the selected entries, unless some are not loaded. Changes only with the list and the selection. */
function useSelected({ source, count, isSelected }: EntryGrid<EntryRecord>) {
  return useCallback(() => {
    const selected = source
      .loaded(0, source.total - 1)
      .map(({ entry }) => entry)
      .filter(({ id }) => isSelected(id));
    return selected.length === count ? selected : undefined;
  }, [source, count, isSelected]);
}
