/** Lines of equal height in a box that scrolls. All lengths in pixels. */
interface Lines {
  readonly count: number;
  readonly height: number;
  /** The scroll position of the box. */
  readonly top: number;
  /** The visible height of the lines. */
  readonly visible: number;
}

/** Lines this far outside of the view are rendered in advance. */
const AHEAD_PX = 264;

/** The lines to render; none if `last` is smaller than `first`. */
export function linesInView({ count, height, top, visible }: Lines): { first: number; last: number } {
  if (visible <= 0) return { first: 0, last: -1 };
  const ahead = Math.ceil(AHEAD_PX / height);
  return {
    first: Math.max(0, Math.min(Math.floor(top / height), count) - ahead),
    last: Math.min(count - 1, Math.floor((top + visible) / height) + ahead),
  };
}

/** The nearest scroll position at which a line is completely visible. */
export function topToShow(line: number, { height, top, visible }: Lines): number {
  const [start, end] = [line * height, (line + 1) * height];
  if (start < top) return start;
  return end > top + visible ? end - visible : top;
}
