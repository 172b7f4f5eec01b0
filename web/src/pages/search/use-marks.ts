import { type RefObject, useEffect } from 'react';
import { findMatches } from './matches.ts';

const NAME = 'sought';

/**
 * Highlights the search text in the element without changing its content, because rows come and go while
 * scrolling. Browsers without support show no highlights.
 */
export function useMarks(place: RefObject<HTMLElement | null>, text: string): void {
  useEffect(() => {
    const root = place.current;
    if (root === null || text === '' || !('highlights' in CSS)) return;
    let frame = 0;
    const mark = () => {
      CSS.highlights.set(NAME, new Highlight(...rangesIn(root, text)));
    };
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  });
}

function rangesIn(root: HTMLElement, text: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    // Highlights only names, because location and time are not searched.
    if (node.parentElement?.title !== node.nodeValue) continue;
    for (const { at, length } of findMatches(node.nodeValue ?? '', text)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + length);
      ranges.push(range);
    }
  }
  return ranges;
}
