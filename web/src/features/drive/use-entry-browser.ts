import { useEffect, useEffectEvent, useState } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { asksForDetails, type PressedKey } from '../details/details-key.ts';
import { useCanEdit, useDriveId } from '../drives/use-drive.ts';
import { type Chosen, chosenOf, type EntrySource } from '../entries/entry-source.ts';
import {
  type EntryGrid,
  type GridMenu,
  type Point,
  useEntryGrid,
} from '../entries/grid/state/use-entry-grid.ts';
import { type EntryAction, isForViewers } from './actions/entry-actions.ts';
import { useEntryActions } from './actions/use-entry-actions.tsx';
import {
  type CopiedEntries,
  cancelCut,
  hasCopiedEntries,
  takeFromClipboard,
} from './clipboard/entry-clipboard.ts';
import { useEntryClipboard } from './clipboard/use-entry-clipboard.ts';
import { mayEdit } from './may-edit.ts';
import { useDetailsDock } from './use-details-dock.ts';
import { useRename } from './use-rename.ts';

interface BrowserOptions {
  readonly source: EntrySource<EntryRecord>;
  readonly directory: string | undefined;
  /** Whether the list shows entries of several drives. */
  readonly isAcrossDrives: boolean;
  readonly hasBackgroundMenu: boolean;
  readonly onUp: (() => void) | undefined;
  readonly onHelp: (() => void) | undefined;
}

/** What the menu of the space around the entries needs to know about the list. */
export interface Background {
  readonly at: Point | undefined;
  readonly canPaste: boolean;
  readonly onPaste: () => void;
  readonly onSelectAll: (() => void) | undefined;
  readonly onClose: () => void;
  readonly onFocusBack: () => void;
}

/** The selection, the menus, the keys and the actions of a list of entries. */
export function useEntryBrowser(options: BrowserOptions) {
  const { source, directory, isAcrossDrives, hasBackgroundMenu, onUp, onHelp } = options;
  const [menu, setMenu, hadMenu] = useEverSetState<GridMenu<EntryRecord>>();
  const [backgroundAt, setBackgroundAt, hadBackground] = useEverSetState<Point>();

  const grid = useEntryGrid({
    source,
    onOpen: (entry) => actions.open(entry),
    onMenu: setMenu,
    onBackgroundMenu: hasBackgroundMenu ? setBackgroundAt : undefined,
    onKey: (event, active) => onKey(event, active),
  });
  const goToEntry = (id: number) => {
    const index = source.indexOf(id);
    if (index !== undefined) grid.goTo(index);
  };
  const { renaming, startRename } = useRename(source, grid.focus);
  const actions = useEntryActions({
    directory,
    source,
    onSeen: ({ id }) => goToEntry(id),
    onClosed: grid.focus,
    onGone: grid.clear,
  });
  const drive = useDriveId();
  const canEdit = useCanEdit();
  const isEditable = (chosen: Chosen<EntryRecord>) =>
    mayEdit(chosen, { source, drive, isAcrossDrives, canEdit });
  const dock = useDetailsDock();
  const actOn = (action: EntryAction, chosen: Chosen<EntryRecord>) => {
    const { only } = chosen;
    if (!isForViewers(action) && !isEditable(chosen)) return;
    if (action === 'rename') {
      if (only !== undefined) startRename(only.id);
    } else if (action === 'details' && only !== undefined && dock.isPossible) {
      goToEntry(only.id);
      dock.setOpen(true);
    } else actions.act(action, chosen);
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
    else if (key === 'F2' && active !== undefined) actOn('rename', chosenOf([active]));
    else if (key === 'Delete' && grid.count > 0) act('recycle');
    else if (key === 'Escape') return cancelCut();
    else return false;
    return true;
  };

  const paste = (copied: CopiedEntries, into: string) =>
    actions.moveInto({ drive, directory: into }, copied.chosen, copied.kind === 'copy');
  const into = canEdit(drive) ? directory : undefined;
  useEntryClipboard({
    directory: into,
    canCut: isEditable,
    chosen: () => selectedOrActive(grid),
    onPaste: paste,
  });
  const background = useBackground({
    at: backgroundAt,
    setAt: setBackgroundAt,
    grid,
    directory: into,
    paste,
  });
  useKeysWithoutList(source.total === 0, onKey);
  return {
    grid,
    renaming,
    actions,
    dock,
    act,
    actOn,
    toggleDetails,
    menu,
    hadMenu,
    closeMenu: () => setMenu(undefined),
    background,
    hadBackground,
    isEditable,
    openBackground: setBackgroundAt,
  };
}

/** A state, and whether it ever had a value. The component that shows it is loaded only then. */
function useEverSetState<T>() {
  const [state, setState] = useState<T>();
  const [wasSeen, setSeen] = useState(false);
  if (state !== undefined && !wasSeen) setSeen(true);
  return [state, setState, wasSeen] as const;
}

/** The entries to copy or cut: the selection, or the entry with the keyboard focus if nothing is selected. */
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

/** Handles the keys of the page while there is no list to focus, such as in an empty folder. */
function useKeysWithoutList(
  hasNoList: boolean,
  onKey: (event: PressedKey, active: EntryRecord | undefined) => boolean,
) {
  const onKeyDown = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (document.activeElement !== document.body || event.defaultPrevented) return;
    if (onKey(event, undefined)) event.preventDefault();
  });
  useEffect(() => {
    if (!hasNoList) return;
    const handle = (event: globalThis.KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', handle);
    return () => window.removeEventListener('keydown', handle);
  }, [hasNoList]);
}
