import { type DragEvent, useState } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import type { DriveId } from '../../../../api/in-drive.ts';
import { isWithin } from '../../../../common/names/drive-paths.ts';
import { useCanEdit } from '../../../drives/use-drive.ts';
import { driveOf, placeOf } from '../../drive-of.ts';
import { dropFolder } from '../../drop-folder.ts';
import { type Chosen, chosenOf } from '../../entry-source.ts';
import type { DirectoryPlace } from '../../find-entry.ts';
import type { EntryGrid } from '../state/use-entry-grid.ts';
import { indexAt } from './use-grid-pointer.ts';

/** The type of drags of entries within the drive. Drags of files from the desktop have the type `Files`. */
const ENTRIES_TYPE = 'application/x-holdall-entries';

/** The dragged entries, kept here because the browser reveals only the type during a drag. */
let dragged:
  | {
      readonly chosen: Chosen<EntryRecord>;
      readonly from: DirectoryPlace;
      /** Whether the user may only copy the entries out of their drive. */
      readonly isCopyOnly: boolean;
      readonly paths: readonly string[];
      readonly onDrop: DropInto;
    }
  | undefined;

type DropInto = (target: DirectoryPlace, chosen: Chosen<EntryRecord>, isCopy: boolean) => void;

/**
 * Makes entries draggable onto folders of the list, and onto folders that use `useDropTarget`.
 * @param onDrop called for both kinds of folders
 */
export function useEntryDrag(grid: EntryGrid<EntryRecord>, onDrop: DropInto) {
  const [over, setOver] = useState<number>();
  const canEdit = useCanEdit();
  const folderAt = (event: DragEvent) => {
    const index = indexAt(event.target);
    const entry = index === undefined ? undefined : grid.source.at(index);
    if (entry?.directory !== true) return undefined;
    return { index, place: { drive: driveOf(entry), directory: entry.path } };
  };
  return {
    /** The folder under the pointer. */
    over,
    onDragStart: (event: DragEvent) => {
      const index = indexAt(event.target);
      const entry = index === undefined ? undefined : grid.source.at(index);
      if (index === undefined || entry === undefined) return;
      // A state update in this event would come too late, so the current selection decides.
      const isOfSelection = grid.isSelected(entry.id);
      const chosen: Chosen<EntryRecord> = isOfSelection ? grid.chosen() : chosenOf([entry]);
      grid.include(index);
      dragged = {
        chosen,
        from: placeOf(entry),
        isCopyOnly: !canEdit(driveOf(entry)),
        paths: chosen.only === undefined ? [] : [chosen.only.path],
        onDrop,
      };
      event.dataTransfer.setData(ENTRIES_TYPE, String(chosen.count));
      event.dataTransfer.effectAllowed = 'copyMove';
      if (chosen.count > 1) showCount(event, chosen.count);
    },
    onDragOver: (event: DragEvent) => {
      const folder = folderAt(event);
      const isGood = folder !== undefined && allowDrop(event, folder.place, canEdit);
      setOver(isGood ? folder.index : undefined);
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) {
        setOver(undefined);
      }
    },
    onDrop: (event: DragEvent) => {
      setOver(undefined);
      const folder = folderAt(event);
      if (folder !== undefined) takeDrop(event, folder.place, canEdit);
    },
    onDragEnd: () => {
      dragged = undefined;
      setOver(undefined);
    },
  };
}

/** Makes a folder outside the list accept dragged entries, also from other drives, and files. */
export function useDropTarget(place: DirectoryPlace) {
  const [isOver, setOver] = useState(false);
  const canEdit = useCanEdit();
  return {
    ...dropFolder(place),
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => setOver(allowDrop(event, place, canEdit)),
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      takeDrop(event, place, canEdit);
    },
  };
}

/** Whether the dragged entries may be dropped on that folder. */
function allowDrop(event: DragEvent, place: DirectoryPlace, canEdit: CanEdit): boolean {
  if (dragged === undefined || !event.dataTransfer.types.includes(ENTRIES_TYPE)) return false;
  if (!canEdit(place.drive)) return false;
  const { drive, directory } = dragged.from;
  const isCopy = isCopying(event, dragged);
  if (drive === place.drive) {
    if (directory === place.directory && !isCopy) return false;
    if (dragged.paths.some((path) => isWithin(place.directory, path))) return false;
  }
  event.preventDefault();
  event.dataTransfer.dropEffect = isCopy ? 'copy' : 'move';
  return true;
}

function takeDrop(event: DragEvent, place: DirectoryPlace, canEdit: CanEdit): void {
  if (dragged === undefined || !event.dataTransfer.types.includes(ENTRIES_TYPE)) return;
  if (!canEdit(place.drive)) return;
  event.preventDefault();
  event.stopPropagation();
  dragged.onDrop(place, dragged.chosen, isCopying(event, dragged));
  dragged = undefined;
}

type CanEdit = (drive: DriveId) => boolean;

/** Whether a drop copies the entries: if a key asks for it, or if they must stay in their drive. */
function isCopying(event: DragEvent, { isCopyOnly }: { readonly isCopyOnly: boolean }): boolean {
  return isCopyOnly || event.ctrlKey || event.altKey;
}

/** Replaces the drag image, which would be a single row, with the number of entries. */
function showCount(event: DragEvent, count: number): void {
  const badge = document.createElement('div');
  badge.textContent = String(count);
  Object.assign(badge.style, {
    position: 'fixed',
    top: '-100px',
    padding: '8px 16px',
    borderRadius: '999px',
    background: 'var(--mantine-primary-color-filled)',
    color: 'white',
    font: '600 14px sans-serif',
  });
  document.body.append(badge);
  event.dataTransfer.setDragImage(badge, 0, 0);
  setTimeout(() => badge.remove());
}
