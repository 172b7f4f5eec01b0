/** Lines of one height, of which a box shows some. All lengths in pixels. */
export interface Lines {
  readonly count: number;
  readonly height: number;
  /** How far the box is scrolled. */
  readonly top: number;
  /** What one sees of the lines at once. */
  readonly visible: number;
}

/** So far beyond those in view lines are there before somebody comes to them. */
const AHEAD_PX = 264;

/** The lines to draw; none where `last` is smaller than `first`. */
export function linesInView({ count, height, top, visible }: Lines): { first: number; last: number } {
  if (visible <= 0) return { first: 0, last: -1 };
  const ahead = Math.ceil(AHEAD_PX / height);
  return {
    first: Math.max(0, Math.min(Math.floor(top / height), count) - ahead),
    last: Math.min(count - 1, Math.floor((top + visible) / height) + ahead),
  };
}

/** How far to scroll so that one sees all of a line, and no further. */
export function topToShow(line: number, { height, top, visible }: Lines): number {
  const [start, end] = [line * height, (line + 1) * height];
  if (start < top) return start;
  return end > top + visible ? end - visible : top;
}
