/** Cells of equal size in lines of equal height, below a header. All lengths in pixels. */
export interface CellLayout {
  /** The number of cells. */
  readonly total: number;
  readonly columns: number;
  /** The total width of all columns. */
  readonly width: number;
  readonly lineHeight: number;
  /** The height of the header above the first line. */
  readonly head: number;
}

/** A rectangle in the coordinates of the grid's content, which do not change when the grid is scrolled. */
export interface Band {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * The cells that a band touches, at least one. It contains no list of them, because there may be 100,000.
 */
export interface TouchedCells {
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** Whether the band touches a cell between the first and the last. */
  readonly has: (index: number) => boolean;
}

/** The cells that a band touches; undefined if there are none. Takes constant time. */
export function cellsInBand(band: Band, layout: CellLayout): TouchedCells | undefined {
  const { total, columns, width, lineHeight, head } = layout;
  const firstLine = Math.max(0, Math.floor((band.top - head) / lineHeight));
  const lastLine = Math.min(Math.ceil(total / columns) - 1, Math.floor((band.bottom - head) / lineHeight));
  const columnWidth = width / columns;
  const left = Math.max(0, Math.floor(band.left / columnWidth));
  const right = Math.min(columns - 1, Math.floor(band.right / columnWidth));
  if (band.bottom < head || firstLine > lastLine || left > right) return undefined;
  const inLine = right - left + 1;
  // The last line of the list may have fewer cells.
  const inLastLine = Math.max(0, Math.min(inLine, total - lastLine * columns - left));
  const count = (lastLine - firstLine) * inLine + inLastLine;
  if (count === 0) return undefined;
  const end = inLastLine > 0 ? lastLine * columns + inLastLine : (lastLine - 1) * columns + inLine;
  return {
    first: firstLine * columns + left,
    last: end + left - 1,
    count,
    has: (index) => index % columns >= left && index % columns <= right,
  };
}

/** Whether the cells are a contiguous range. */
export function areTogether({ first, last, count }: TouchedCells): boolean {
  return last - first + 1 === count;
}
