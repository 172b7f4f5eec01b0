import { IconDots } from '@tabler/icons-react';
import { memo } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { CELL } from '../../../ui/grid/grid-roles.ts';
import type { Column, Renaming } from './column.ts';
import styles from './entry-grid.module.css';
import { RenameField } from './rename-field.tsx';

interface RowProps<T> {
  readonly entry: T | undefined;
  readonly index: number;
  /** Pixels below the first. */
  readonly top: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  readonly isOver: boolean;
  readonly isDraggable: boolean;
  readonly columns: readonly Column<T>[];
  readonly renaming: Renaming | undefined;
  readonly words: RowWords;
}

/** What is said of every row, with the name of its entry. The same object as long as the language is. */
export interface RowWords {
  readonly select: (name: string) => string;
  readonly more: (name: string) => string;
}

/** One line. It does nothing by itself: the grid hears what is done to any of them. */
function Row<T extends EntryRecord>(props: RowProps<T>) {
  const { entry, index, top, isSelected, isActive, isOver, isDraggable, columns, renaming, words } = props;
  const place = {
    id: rowId(index),
    role: 'row',
    'data-index': index,
    'aria-rowindex': index + 2,
    'aria-selected': isSelected,
    'data-active': isActive || undefined,
    className: styles.row,
    style: { transform: `translateY(${top}px)` },
  };
  if (entry === undefined) {
    return (
      <div {...place} aria-busy>
        <div {...CELL} className={styles.waiting} />
      </div>
    );
  }
  return (
    <div
      {...place}
      data-over={isOver || undefined}
      data-drop-path={entry.directory ? entry.path : undefined}
      draggable={isDraggable && renaming === undefined}
    >
      <div {...CELL} className={styles.check} data-check>
        <input
          type="checkbox"
          tabIndex={-1}
          checked={isSelected}
          readOnly
          aria-label={words.select(entry.filename)}
        />
      </div>
      {columns.map((column) => (
        <div key={column.name} {...CELL} className={styles.cell} data-number={column.isNumber}>
          {column.name === 'name' && renaming !== undefined ? (
            <RenameField entry={entry} renaming={renaming} />
          ) : (
            column.cell(entry)
          )}
        </div>
      ))}
      <div {...CELL} className={styles.cell}>
        <button
          type="button"
          className={styles.more}
          tabIndex={-1}
          data-more
          aria-haspopup="menu"
          aria-label={words.more(entry.filename)}
        >
          <IconDots size={18} aria-hidden />
        </button>
      </div>
    </div>
  );
}

// What `memo` gives has lost that it is for entries of any kind.
export const EntryRow = memo(Row) as typeof Row;

/** Of the row that is active; a page shows one grid at a time. */
export function rowId(index: number): string {
  return `entry-${index}`;
}
