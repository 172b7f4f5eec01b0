import { memo } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { CELL } from '../../../ui/grid/grid-roles.ts';
import type { Column } from './column.ts';
import { type CellProps, EntryCheckbox, MoreButton, toCellAttributes } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import { RenameField } from './rename-field.tsx';

interface RowProps<T> extends CellProps<T> {
  /** The offset from the first row in pixels. */
  readonly top: number;
  readonly columns: readonly Column<T>[];
}

/** One line of a list. The grid handles its events. */
function Row<T extends EntryRecord>({ top, columns, ...cell }: RowProps<T>) {
  const { entry, index, isSelected, renaming, labels } = cell;
  const attributes = {
    ...toCellAttributes(cell),
    role: 'row',
    'aria-rowindex': index + 2,
    className: styles.row,
    style: { transform: `translateY(${top}px)` },
  };
  if (entry === undefined) {
    return (
      <div {...attributes}>
        <div {...CELL} className={styles.waiting} />
      </div>
    );
  }
  return (
    <div {...attributes}>
      <div {...CELL} className={styles.check} data-check>
        <EntryCheckbox entry={entry} labels={labels} isSelected={isSelected} />
      </div>
      {columns.map((column) => (
        <div
          key={column.name}
          {...CELL}
          className={column.isSecondLine === true ? styles.below : styles.cell}
          data-number={column.isNumber}
        >
          {column.name === 'name' && renaming !== undefined ? (
            <RenameField entry={entry} renaming={renaming} />
          ) : (
            column.cell(entry)
          )}
        </div>
      ))}
      <div {...CELL} className={styles.cell}>
        <MoreButton entry={entry} labels={labels} />
      </div>
    </div>
  );
}

// `memo` drops the type parameter.
export const EntryRow = memo(Row) as typeof Row;
