import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { type DayLines, lineAtTop } from './day-lines.ts';

/** Lines this far outside of the view are rendered in advance. */
const AHEAD_PX = 300;

const NONE = { first: 0, last: -1, top: 0 };

/** Which lines to render; `top` is the first one in view. The page renders only when other lines come into view. */
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
    // In the same frame: lines that come later would leave a gap first.
    const onScroll = () => flushSync(update);
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    update();
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [box, lines]);
  // Until the effect has run after there are fewer lines.
  return { ...range, last: Math.min(range.last, lines.length - 1) };
}
