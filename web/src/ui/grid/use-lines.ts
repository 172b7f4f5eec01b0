import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { followScroll } from './follow-scroll.ts';
import { linesInView, topToShow } from './lines-in-view.ts';

interface LinesOptions {
  /** The scrolling element. */
  readonly box: RefObject<HTMLElement | null>;
  readonly count: number;
  readonly height: number;
  /** The height of a sticky header above the lines. */
  readonly head: number;
  /** The initial scroll position. */
  readonly startAt: number;
}

/**
 * Returns the lines of a long list that must be rendered. All lines have the same height, so a division finds
 * them in a list of any length. The page renders only when other lines become visible.
 */
export function useLines({ box, count, height, head, startAt }: LinesOptions) {
  const [range, setRange] = useState({ first: 0, last: -1 });
  const [visible, setVisible] = useState(0);
  const start = useRef(startAt);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (start.current > 0) element.scrollTop = start.current;
    start.current = 0;
    let shown = { first: 0, last: -1 };
    const update = () => {
      const size = element.clientHeight - head;
      const next = linesInView({ count, height, top: element.scrollTop, visible: size });
      setVisible(size);
      if (next.first === shown.first && next.last === shown.last) return;
      shown = next;
      setRange(next);
    };
    return followScroll(element, update);
  }, [box, count, height, head]);
  // Needed after the list has become shorter, until the effect has run.
  const last = Math.min(range.last, count - 1);
  return {
    first: range.first,
    last,
    /** The number of visible lines. */
    perPage: Math.max(1, Math.floor(visible / height)),
    show: (line: number) => {
      const element = box.current;
      if (element === null) return;
      const { scrollTop: top, clientHeight } = element;
      const next = topToShow(line, { count, height, top, visible: clientHeight - head });
      if (next !== top) element.scrollTop = next;
    },
  };
}
