// What the parts of a grid are. They are no table, for lines that are not in view do not exist; and no part takes the focus: that
// stays at the grid, which says which line is active.

export const GROUP = { role: 'rowgroup' } as const;
export const CELL = { role: 'gridcell' } as const;

interface GridShape {
  readonly label: string;
  readonly lines: number;
  readonly columns: number;
  /** The id of the element where the keyboard is. */
  readonly active: string | undefined;
}

export function asGrid({ label, lines, columns, active }: GridShape) {
  return {
    role: 'grid',
    'aria-label': label,
    'aria-rowcount': lines,
    'aria-colcount': columns,
    'aria-multiselectable': true,
    'aria-activedescendant': active,
    tabIndex: 0,
  } as const;
}

/** @param index counted from 1, of all there are */
export function asLine(index: number) {
  return { role: 'row', 'aria-rowindex': index } as const;
}

export function asHead(sort?: 'ascending' | 'descending' | 'none') {
  return { role: 'columnheader', 'aria-sort': sort } as const;
}
