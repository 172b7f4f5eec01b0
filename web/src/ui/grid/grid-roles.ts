// ARIA roles of a grid. It is not a table, because rows outside the view are not rendered. The grid itself
// keeps the focus and names the active row.

export const GROUP = { role: 'rowgroup' } as const;
/** A heading over the lines that follow. */
export const LINE_HEAD = { role: 'rowheader' } as const;
export const CELL = { role: 'gridcell' } as const;

interface GridShape {
  readonly label: string;
  readonly lines: number;
  readonly columns: number;
  /** The id of the active element. */
  readonly active: string | undefined;
  readonly isSelecting: boolean;
}

export function asGrid({ label, lines, columns, active, isSelecting }: GridShape) {
  return {
    role: 'grid',
    'aria-label': label,
    'aria-rowcount': lines,
    'aria-colcount': columns,
    'aria-multiselectable': true,
    'aria-activedescendant': active,
    'data-selecting': isSelecting || undefined,
    tabIndex: 0,
  } as const;
}

/** @param index the position among all rows, from 1 */
export function asLine(index: number) {
  return { role: 'row', 'aria-rowindex': index } as const;
}

export function asHead(sort?: 'ascending' | 'descending' | 'none') {
  return { role: 'columnheader', 'aria-sort': sort } as const;
}
