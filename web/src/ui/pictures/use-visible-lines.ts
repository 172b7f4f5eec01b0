import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { followScroll } from '../grid/follow-scroll.ts';
import { lineAtTop, type PictureLines } from './picture-lines.ts';
import { keepInPlace } from './picture-moves.ts';

/** Lines this far outside of the view are rendered in advance. */
const AHEAD_PX = 300;

const NONE = { first: 0, last: -1, top: 0 };

/**
 * Returns the lines to render; `top` is the first visible one. The page renders only when other lines become
 * visible. When the layout changes, the visible pictures stay in place.
 */
export function useVisibleLines(box: RefObject<HTMLElement | null>, layout: PictureLines) {
  const [range, setRange] = useState(NONE);
  const before = useRef(layout);
  const { lines } = layout;
  useLayoutEffect(() => {
    const element = box.current;
    const old = before.current;
    before.current = layout;
    if (element === null || lines.length === 0) return;
    if (old !== layout && old.lines.length > 0) {
      const top = keepInPlace(old, layout, element.scrollTop, element.clientHeight);
      if (Math.abs(top - element.scrollTop) >= 1) element.scrollTop = top;
    }
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
  }, [box, layout, lines]);
  // Needed when there are fewer lines, until the effect has run.
  const last = Math.min(range.last, lines.length - 1);
  const shown = lines.slice(range.first, last + 1);
  const end = shown.at(-1);
  return {
    /** The index of the first rendered line. */
    first: range.first,
    /** The line at the top of the view. */
    top: lines[range.top],
    shown,
    /** The indexes of the first and the last picture in the rendered lines. */
    pictures: { first: shown[0]?.first ?? 0, last: end === undefined ? -1 : end.first + end.count - 1 },
  };
}
