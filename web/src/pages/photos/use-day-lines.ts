import { type RefObject, useLayoutEffect, useState } from 'react';
import { followScroll } from '../../ui/grid/follow-scroll.ts';
import { type DayLines, lineAtTop } from './day-lines.ts';

/** Lines this far outside of the view are rendered in advance. */
const AHEAD_PX = 300;

const NONE = { first: 0, last: -1, top: 0 };

/**
 * Returns the lines to render; `top` is the first visible one. The page renders only when other lines become
 * visible.
 */
export function useDayLines(box: RefObject<HTMLElement | null>, { lines }: DayLines) {
  const [range, setRange] = useState(NONE);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || lines.length === 0) return;
    let shown = NONE;
    const update = () => {
      const { scrollTop, clientHeight } = element;
      const next = {
        first: lineAtTop(lines, scrollTop - AHEAD_PX),
        last: lineAtTop(lines, scrollTop + clientHeight + AHEAD_PX),
        top: lineAtTop(lines, scrollTop),
      };
      if (next.first === shown.first && next.last === shown.last && next.top === shown.top) return;
      shown = next;
      setRange(next);
    };
    return followScroll(element, update);
  }, [box, lines]);
  // Needed when there are fewer lines, until the effect has run.
  return { ...range, last: Math.min(range.last, lines.length - 1) };
}
