import { flushSync } from 'react-dom';

/**
 * Calls `update` now, and whenever the element is scrolled or resized. Returns a function that stops it.
 */
export function followScroll(element: HTMLElement, update: () => void): () => void {
  // Renders in the same frame, because lines that appear later would leave a visible gap.
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
