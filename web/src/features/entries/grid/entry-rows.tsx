import { useEffect } from 'react';
import type { EntryRecord } from '../../../api/contract.ts';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { asGrid, GROUP } from '../../../ui/grid/grid-roles.ts';
import { useLines } from '../../../ui/grid/use-lines.ts';
import type { Column, Renaming, Sorting } from './column.ts';
import { ColumnHeads } from './column-heads.tsx';
import styles from './entry-grid.module.css';
import { EntryRow, rowId } from './entry-row.tsx';
import type { useEntryDrag } from './use-entry-drag.ts';
import type { EntryGrid } from './use-entry-grid.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useRowWords } from './use-row-words.ts';

/** As high as the style sheet makes them. */
const ROW_PX = 44;
const NARROW_ROW_PX = 60;
const HEAD_PX = 40;

export interface RowsProps<T extends EntryRecord> {
  readonly grid: EntryGrid<T>;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly sorting?: Sorting | undefined;
  readonly renaming?: Renaming | undefined;
  readonly drag?: ReturnType<typeof useEntryDrag> | undefined;
  /** Two lines for each, on a small screen. */
  readonly isNarrow: boolean;
  /** Pixels from the top, where somebody was before. */
  readonly startAt?: number | undefined;
}

/** The list: a line for each entry, of which only those exist that are in view. */
export function EntryRows<T extends EntryRecord>(props: RowsProps<T>) {
  const { grid, label, columns, sorting, renaming, drag, isNarrow, startAt = 0 } = props;
  const { source } = grid;
  const words = useRowWords();
  const { over, ...dragHandlers } = drag ?? { over: undefined };
  const rowPx = isNarrow ? NARROW_ROW_PX : ROW_PX;
  const headPx = isNarrow ? 0 : HEAD_PX;
  const { first, last, perPage, show } = useLines({
    box: grid.ref,
    count: source.total,
    height: rowPx,
    head: headPx,
    startAt,
  });
  useEffect(() => {
    grid.view.current = { columns: 1, lines: perPage, show };
    if (last >= first) source.look(first, last);
  });
  const pointer = useGridPointer(grid);
  const isActiveShown = grid.active >= first && grid.active <= last;
  return (
    <div
      ref={grid.ref}
      {...asGrid({
        label,
        lines: source.total + 1,
        columns: columns.length + 2,
        active: isActiveShown ? rowId(grid.active) : undefined,
      })}
      className={styles.grid}
      data-narrow={isNarrow || undefined}
      style={withVariable('--columns', columns.map(({ width }) => width).join(' '))}
      {...pointer}
      {...dragHandlers}
    >
      <ColumnHeads grid={grid} columns={columns} sorting={sorting} />
      <div {...GROUP} className={styles.rows} style={{ height: source.total * rowPx }}>
        {Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => {
          const index = first + step;
          const entry = source.at(index);
          return (
            <EntryRow
              key={index}
              entry={entry}
              index={index}
              top={index * rowPx}
              isSelected={entry !== undefined && grid.isSelected(entry.id)}
              isActive={index === grid.active}
              isOver={index === over}
              isDraggable={drag !== undefined}
              columns={columns}
              renaming={renaming !== undefined && renaming.id === entry?.id ? renaming : undefined}
              words={words}
            />
          );
        })}
      </div>
    </div>
  );
}
