/** Cells of equal size in lines of equal height, below a header. All lengths in pixels. */
export interface CellLayout {
  /** The number of cells. */
  readonly total: number;
  readonly columns: number;
  /** Of all columns together. */
  readonly width: number;
  readonly lineHeight: number;
  /** The height of the header above the first line. */
  readonly head: number;
}

/** A rectangle in the content of the grid, which does not move when the grid is scrolled. */
export interface Band {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The indexes of the cells that a band touches, in their order. */
export function cellsInBand(band: Band, layout: CellLayout): readonly number[] {
  const range = rangeOf(band, layout);
  return range === undefined ? [] : [...indexesIn(range, layout)];
}

/** The first and the last line and column that a band touches; undefined if it touches no cell. */
interface CellRange {
  readonly lines: readonly [first: number, last: number];
  readonly columns: readonly [first: number, last: number];
}

function rangeOf(band: Band, layout: CellLayout): CellRange | undefined {
  const { total, columns, width, lineHeight, head } = layout;
  const lastLine = Math.ceil(total / columns) - 1;
  const lines = [
    Math.max(0, Math.floor((band.top - head) / lineHeight)),
    Math.min(lastLine, Math.floor((band.bottom - head) / lineHeight)),
  ] as const;
  const columnWidth = width / columns;
  const places = [
    Math.max(0, Math.floor(band.left / columnWidth)),
    Math.min(columns - 1, Math.floor(band.right / columnWidth)),
  ] as const;
  if (band.bottom < head || lines[0] > lines[1] || places[0] > places[1]) return undefined;
  return { lines, columns: places };
}

function* indexesIn({ lines, columns }: CellRange, layout: CellLayout): Generator<number> {
  for (let line = lines[0]; line <= lines[1]; line += 1) {
    for (let column = columns[0]; column <= columns[1]; column += 1) {
      const index = line * layout.columns + column;
      if (index < layout.total) yield index;
    }
  }
}
