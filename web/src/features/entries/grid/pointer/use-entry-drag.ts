import { type DragEvent, useState } from 'react';
import type { EntryRecord } from '../../../../../../client/src/client.ts';
import { isWithin } from '../../../../common/names/drive-paths.ts';
import { type Chosen, chosenOf } from '../../entry-source.ts';
import type { EntryGrid } from '../state/use-entry-grid.ts';
import { indexAt } from './use-grid-pointer.ts';

/** The type of drags of entries within the drive. Drags of files from the desktop have the type `Files`. */
const ENTRIES_TYPE = 'application/x-holdall-entries';

/** The dragged entries, kept here because the browser reveals only the type during a drag. */
let dragged:
  | {
      readonly chosen: Chosen<EntryRecord>;
      readonly from: string;
      readonly paths: readonly string[];
      readonly onDrop: DropInto;
    }
  | undefined;

type DropInto = (directory: string, chosen: Chosen<EntryRecord>, isCopy: boolean) => void;

/**
 * Makes entries draggable onto folders of the list, and onto folders that use `useDropTarget`.
 * @param onDrop called for both kinds of folders
 */
export function useEntryDrag(grid: EntryGrid<EntryRecord>, onDrop: DropInto) {
  const [over, setOver] = useState<number>();
  const folderAt = (event: DragEvent) => {
    const index = indexAt(event.target);
    const entry = index === undefined ? undefined : grid.source.at(index);
    return entry?.directory === true ? { index, path: entry.path } : undefined;
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
        from: entry.parentPath,
        paths: chosen.only === undefined ? [] : [chosen.only.path],
        onDrop,
      };
      event.dataTransfer.setData(ENTRIES_TYPE, String(chosen.count));
      event.dataTransfer.effectAllowed = 'copyMove';
      if (chosen.count > 1) showCount(event, chosen.count);
    },
    onDragOver: (event: DragEvent) => {
      const folder = folderAt(event);
      const isGood = folder !== undefined && allowDrop(event, folder.path);
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
      if (folder !== undefined) takeDrop(event, folder.path);
    },
    onDragEnd: () => {
      dragged = undefined;
      setOver(undefined);
    },
  };
}

/** Makes a folder outside the list accept dragged entries. */
export function useDropTarget(path: string) {
  const [isOver, setOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => setOver(allowDrop(event, path)),
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false);
      takeDrop(event, path);
    },
  };
}

/** Whether the dragged entries may be dropped on that folder. */
function allowDrop(event: DragEvent, directory: string): boolean {
  if (dragged === undefined || !event.dataTransfer.types.includes(ENTRIES_TYPE)) return false;
  const isCopy = event.ctrlKey || event.altKey;
  if (dragged.from === directory && !isCopy) return false;
  if (dragged.paths.some((path) => isWithin(directory, path))) return false;
  event.preventDefault();
  event.dataTransfer.dropEffect = isCopy ? 'copy' : 'move';
  return true;
}

function takeDrop(event: DragEvent, directory: string): void {
  if (dragged === undefined || !event.dataTransfer.types.includes(ENTRIES_TYPE)) return;
  event.preventDefault();
  event.stopPropagation();
  dragged.onDrop(directory, dragged.chosen, event.ctrlKey || event.altKey);
  dragged = undefined;
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
