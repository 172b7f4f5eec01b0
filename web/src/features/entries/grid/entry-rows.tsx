import { type ReactNode, useEffect } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { cellsInBand } from '../../../ui/grid/cells-in-band.ts';
import { withVariable } from '../../../ui/grid/css-variable.ts';
import { asGrid, GROUP } from '../../../ui/grid/grid-roles.ts';
import { useLines } from '../../../ui/grid/use-lines.ts';
import { toTextPx } from '../../../ui/text-size.ts';
import type { Column, Sorting } from './column.ts';
import { ColumnHeads } from './column-heads.tsx';
import { type GridCellsOptions, useGridCells } from './entry-cell.tsx';
import styles from './entry-grid.module.css';
import { EntryRow } from './entry-row.tsx';
import { useRubberBand } from './pointer/use-rubber-band.ts';

/** The height of a row in the style sheet. */
const ROW_PX = 44;
const NARROW_ROW_PX = 60;
const HEAD_PX = 40;
/** The height of a line below the cells. */
const BELOW_PX = 40;

export interface RowsProps<T extends EntryRecord> extends GridCellsOptions<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly sorting?: Sorting | undefined;
  /** A button at the end of the column heads, for wide screens. */
  readonly columnMenu?: ReactNode;
  /** Whether each entry has two lines, for small screens. */
  readonly isNarrow: boolean;
  /** Whether the column heads are omitted, for windows of little height. */
  readonly isLow?: boolean;
  /** The scroll position when the list was left, in pixels from the top. */
  readonly startAt?: number | undefined;
}

/** A list with a row for each entry. Only the visible rows are rendered. */
export function EntryRows<T extends EntryRecord>(props: RowsProps<T>) {
  const { grid, label, columns, sorting, columnMenu, isNarrow, isLow = false, startAt = 0 } = props;
  const { source } = grid;
  const isTall = columns.some(({ isSecondLine }) => isSecondLine === true);
  const cellPx = isNarrow ? NARROW_ROW_PX : ROW_PX;
  const rowPx = toTextPx(cellPx + (isTall ? BELOW_PX : 0));
  const headPx = isNarrow || isLow ? 0 : toTextPx(HEAD_PX);
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
  const { handlers, activeId, cellAt, keyAt } = useGridCells(props, { first, last });
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, step) => first + step);
  // Always rendered, so the name field keeps its focus when it is scrolled out of view.
  const renamed = props.renaming === undefined ? undefined : source.indexOf(props.renaming.id);
  if (renamed !== undefined && !shown.includes(renamed)) shown.push(renamed);
  const startBand = useRubberBand(grid, (band, { clientWidth }) =>
    cellsInBand(band, {
      ...{ total: source.total, columns: 1, width: clientWidth },
      ...{ lineHeight: rowPx, head: headPx },
    }),
  );
  return (
    <div
      ref={grid.ref}
      {...asGrid({
        ...{ label, lines: source.total + 1, columns: columns.length + 2 },
        ...{ active: activeId, isSelecting: grid.count > 0 },
      })}
      className={styles.grid}
      data-narrow={isNarrow || undefined}
      data-low={isLow || undefined}
      data-tall={isTall || undefined}
      style={withVariable('--columns', toTemplate(columns))}
      {...handlers}
      onPointerDown={(event) => {
        handlers.onPointerDown(event);
        startBand(event);
      }}
    >
      <ColumnHeads
        grid={grid}
        columns={columns}
        sorting={sorting}
        menu={headPx > 0 ? columnMenu : undefined}
      />
      <div {...GROUP} className={styles.rows} style={{ height: source.total * rowPx }}>
        {shown.map((index) => (
          <EntryRow key={keyAt(index)} {...cellAt(index)} top={index * rowPx} columns={columns} />
        ))}
      </div>
    </div>
  );
}

/** The widths of the columns for CSS. */
function toTemplate(columns: readonly { readonly width: string; readonly isSecondLine?: boolean }[]): string {
  return columns
    .filter(({ isSecondLine }) => isSecondLine !== true)
    .map(({ width }) => width)
    .join(' ');
}
