/** How the entries are laid out. */
export interface Layout {
  readonly total: number;
  /** Entries per line. */
  readonly columns: number;
  /** Visible lines. */
  readonly lines: number;
}

/**
 * The index to which a key moves from an entry; undefined if it does nothing. `from` is -1 before the first
 * move, when no entry is active.
 */
export function moveTo(key: string, from: number, { total, columns, lines }: Layout): number | undefined {
  if (total === 0) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return total - 1;
  const step = stepOf(key, columns, lines);
  if (step === undefined) return undefined;
  if (from < 0) return 0;
  const to = from + step;
  if (to >= 0 && to < total) return to;
  // A page move stops at the end. A line move beyond the end does nothing, except that it moves down into a
  // shorter last line.
  if (key.startsWith('Page')) return step < 0 ? from % columns : lastBelow(from, columns, total);
  const isLineAbove = Math.floor(from / columns) < Math.floor((total - 1) / columns);
  return key === 'ArrowDown' && isLineAbove ? total - 1 : from;
}

/** The next entry, wrapping around, whose name begins with the typed text. */
export function findByPrefix(
  names: readonly (string | undefined)[],
  typed: string,
  from: number,
): number | undefined {
  const prefix = typed.toLocaleLowerCase();
  const start = Math.max(0, from);
  for (let step = 0; step < names.length; step++) {
    const index = (start + step) % names.length;
    if (names[index]?.toLocaleLowerCase().startsWith(prefix)) return index;
  }
  return undefined;
}

function stepOf(key: string, columns: number, lines: number): number | undefined {
  const page = Math.max(1, lines - 1) * columns;
  if (key === 'ArrowDown') return columns;
  if (key === 'ArrowUp') return -columns;
  if (key === 'PageDown') return page;
  if (key === 'PageUp') return -page;
  // In a list, these keys do nothing.
  if (columns === 1) return undefined;
  if (key === 'ArrowRight') return 1;
  return key === 'ArrowLeft' ? -1 : undefined;
}

function lastBelow(from: number, columns: number, total: number): number {
  const lastLine = Math.floor((total - 1) / columns);
  return Math.min(total - 1, lastLine * columns + (from % columns));
}
