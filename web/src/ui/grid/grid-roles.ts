// ARIA roles of a grid. It is not a table, because rows outside of the view are not rendered, and no part of
// it takes the focus: the grid keeps it and names the active row.

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

/** @param index counted from 1, of all rows */
export function asLine(index: number) {
  return { role: 'row', 'aria-rowindex': index } as const;
}

export function asHead(sort?: 'ascending' | 'descending' | 'none') {
  return { role: 'columnheader', 'aria-sort': sort } as const;
}
