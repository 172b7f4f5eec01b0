import { flushSync } from 'react-dom';

/**
 * Calls `update` now, and whenever the element is scrolled or gets another size. Returns the function that
 * ends this.
 */
export function followScroll(element: HTMLElement, update: () => void): () => void {
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
}
