import { IconDots } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { labelled } from '../../../ui/labelled.ts';
import { driveOf } from '../drive-of.ts';
import { dropFolder } from '../drop-folder.ts';
import type { Renaming } from './column.ts';
import styles from './entry-grid.module.css';
import type { useEntryDrag } from './pointer/use-entry-drag.ts';
import { useGridPointer } from './pointer/use-grid-pointer.ts';
import type { EntryGrid } from './state/use-entry-grid.ts';

// What the rows of a list and the tiles of a grid have in common.

/** The content and state of a row or tile. */
export interface CellProps<T> {
  /** Undefined while it is being loaded. */
  readonly entry: T | undefined;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  /** Whether something that can be dropped on it is being dragged over it. */
  readonly isOver: boolean;
  /** Whether it is about to be moved away. */
  readonly isLeaving: boolean;
  readonly isDraggable: boolean;
  readonly renaming: Renaming | undefined;
  readonly labels: CellLabels;
}

/**
 * The labels of each cell's controls. The object changes only with the language, so that cells do not render
 * again.
 */
interface CellLabels {
  readonly select: (name: string) => string;
  readonly more: (name: string) => string;
}

export interface GridCellsOptions<T extends EntryRecord> {
  readonly grid: EntryGrid<T>;
  readonly renaming?: Renaming | undefined;
  readonly drag?: ReturnType<typeof useEntryDrag> | undefined;
  /** Whether the entry was cut or is being moved. Such an entry looks paler. */
  readonly isLeaving?: ((id: number) => boolean) | undefined;
}

/** The visible cells from `first` to `last`, and the grid's handlers for pointers and drags. */
export function useGridCells<T extends EntryRecord>(
  { grid, renaming, drag, isLeaving }: GridCellsOptions<T>,
  { first, last }: { readonly first: number; readonly last: number },
) {
  const { t } = useTranslation();
  const pointer = useGridPointer(grid);
  const labels = useMemo(
    () => ({
      select: (name: string) => t('drive.select', { name }),
      more: (name: string) => t('drive.moreOf', { name }),
    }),
    [t],
  );
  const { over, ...dragHandlers } = drag ?? { over: undefined };
  const seen = new Set<number>();
  return {
    /** The React key of a cell: it stays the same when the list changes. Called once for each cell. */
    keyAt: (index: number): string => {
      const id = grid.source.at(index)?.id;
      // If the shown pages were loaded at different times, an entry may appear twice.
      if (id === undefined || seen.has(id)) return `place-${index}`;
      seen.add(id);
      return `entry-${id}`;
    },
    handlers: { ...pointer, ...dragHandlers },
    activeId: grid.active >= first && grid.active <= last ? cellId(grid.active) : undefined,
    cellAt: (index: number): CellProps<T> => {
      const entry = grid.source.at(index);
      return {
        entry,
        index,
        isSelected: entry !== undefined && grid.isSelected(entry.id),
        isActive: index === grid.active,
        isOver: index === over,
        isLeaving: entry !== undefined && isLeaving?.(entry.id) === true,
        isDraggable: drag !== undefined,
        renaming: renaming !== undefined && renaming.id === entry?.id ? renaming : undefined,
        labels,
      };
    },
  };
}

/** Attributes for the element of a row or tile. The grid's event handlers read them. */
export function toCellAttributes<T extends EntryRecord>(props: CellProps<T>) {
  const { entry, index, isSelected, isActive, isOver, isLeaving, isDraggable, renaming } = props;
  const attributes = {
    id: cellId(index),
    'data-index': index,
    'aria-selected': isSelected,
    'data-active': isActive || undefined,
  };
  if (entry === undefined) return { ...attributes, 'aria-busy': true };
  return {
    ...attributes,
    'data-over': isOver || undefined,
    'data-leaving': isLeaving || undefined,
    ...(entry.directory && dropFolder({ drive: driveOf(entry), directory: entry.path })),
    draggable: isDraggable && renaming === undefined,
  };
}

interface ControlProps {
  readonly entry: EntryRecord;
  readonly labels: CellLabels;
}

export function EntryCheckbox({
  entry,
  labels,
  isSelected,
}: ControlProps & { readonly isSelected: boolean }) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={isSelected}
      readOnly
      aria-label={labels.select(entry.filename)}
    />
  );
}

/** A button that opens the menu of the entry. The grid handles the click. */
export function MoreButton({ entry, labels }: ControlProps) {
  return (
    <button
      type="button"
      className={styles.more}
      tabIndex={-1}
      data-more
      aria-haspopup="menu"
      {...labelled(labels.more(entry.filename))}
    >
      <IconDots size={18} aria-hidden />
    </button>
  );
}

/** A page shows one grid at a time, so the index identifies the cell. */
function cellId(index: number): string {
  return `entry-${index}`;
}
