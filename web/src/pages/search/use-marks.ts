import { type RefObject, useEffect } from 'react';
import { findMatches } from './matches.ts';

const NAME = 'sought';

/**
 * Marks what was looked for wherever it stands in the element, without changing what is in it: rows come and go as somebody
 * scrolls. Browsers that cannot do it show the same without marks.
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
    // The names alone: where something lies, or when it was changed, has not been looked for.
    if (node.parentElement?.title !== node.nodeValue) continue;
    for (const at of findMatches(node.nodeValue ?? '', text)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + text.length);
      ranges.push(range);
    }
  }
  return ranges;
}
