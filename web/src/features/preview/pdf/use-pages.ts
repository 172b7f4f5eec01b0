import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** With these before and after the current page, at most six pages are drawn. */
const BEFORE = 2;
const AFTER = 3;

/**
 * The page that is read, in a column that scrolls. At its top that is the first one, at its end the last, and in
 * between the place moves through the window.
 * @param width of the pages: when it changes, the same place stays in the window
 */
export function usePages(column: RefObject<HTMLElement | null>, width: number) {
  const [current, setCurrent] = useState(1);
  const place = useRef(0);
  const onScroll = () => {
    const box = column.current;
    if (box === null) return;
    place.current = box.scrollTop / box.scrollHeight;
    const share = box.scrollTop / Math.max(1, box.scrollHeight - box.clientHeight);
    setCurrent(findPage(box.children, box.scrollTop + box.clientHeight * share));
  };
  useLayoutEffect(() => {
    const box = column.current;
    if (box !== null && width > 0) box.scrollTop = place.current * box.scrollHeight;
  }, [column, width]);
  const isNear = (page: number) => page >= current - BEFORE && page <= current + AFTER;
  return { current, isNear, onScroll };
}

/** The number of the last element that begins above a height. */
function findPage(pages: HTMLCollection, height: number): number {
  let [low, high] = [0, pages.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const page = pages[middle];
    if (page instanceof HTMLElement && page.offsetTop <= height) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
