import { useEffect } from 'react';
import type { Viewer } from './make-viewer.ts';

/** How much one pixel of the wheel zooms. */
const WHEEL = 0.005;
/** A mouse sends large steps at once. */
const MAX_STEP = 60;
/** Pages are drawn again only after a gesture, because that takes longer than a frame. */
const DRAWING_DELAY_MS = 300;

/** Zooms the pages by pinching, and by the wheel with the Ctrl key, as trackpads do. */
export function useGestures(box: HTMLElement | null, viewer: Viewer | undefined): void {
  useEffect(() => {
    if (box === null || viewer === undefined) return;
    const zoom = (scaleFactor: number, x: number, y: number) =>
      viewer.pages.updateScale({ drawingDelay: DRAWING_DELAY_MS, scaleFactor, origin: [x, y] });
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      // Otherwise the browser would zoom the whole page.
      event.preventDefault();
      const step = Math.max(-MAX_STEP, Math.min(MAX_STEP, event.deltaY));
      zoom(Math.exp(-step * WHEEL), event.clientX, event.clientY);
    };
    let spread = 0;
    const onTouchStart = ({ touches }: TouchEvent) => {
      spread = touches.length === 2 ? spreadOf(touches) : 0;
    };
    const onTouchMove = (event: TouchEvent) => {
      const { touches } = event;
      if (touches.length !== 2 || spread === 0) return;
      event.preventDefault();
      const [one, other] = touches;
      if (one === undefined || other === undefined) return;
      const next = spreadOf(touches);
      // The viewer rounds to whole percents, so smaller steps would be lost.
      if (Math.abs(next / spread - 1) < 0.02) return;
      zoom(next / spread, (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2);
      spread = next;
    };
    box.addEventListener('wheel', onWheel, { passive: false });
    box.addEventListener('touchstart', onTouchStart, { passive: true });
    box.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => {
      box.removeEventListener('wheel', onWheel);
      box.removeEventListener('touchstart', onTouchStart);
      box.removeEventListener('touchmove', onTouchMove);
    };
  }, [box, viewer]);
}

/** The distance between two fingers. */
function spreadOf(touches: TouchList): number {
  const [one, other] = touches;
  if (one === undefined || other === undefined) return 0;
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
