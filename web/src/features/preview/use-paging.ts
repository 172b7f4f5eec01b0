import { type TouchEvent, useEffect, useEffectEvent, useRef } from 'react';
import { isInDialogAbove } from './dialog-above.ts';

/** Lets the arrow keys page through the files, wherever the focus is. */
export function useArrowKeys(move: (step: number) => void, isOn: boolean): void {
  const onStep = useEffectEvent(move);
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (isInDialogAbove(event.target)) return;
      // In a video the arrow keys seek, and in a field they move the cursor.
      if (event.target instanceof Element && event.target.closest(OWN_ARROWS) !== null) return;
      if (scrollsSideways(event.target)) return;
      if (event.key === 'ArrowRight') onStep(1);
      else if (event.key === 'ArrowLeft') onStep(-1);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}

const OWN_ARROWS = 'video, audio, textarea, input, select, [contenteditable], [role="slider"]';

/** Whether arrow keys and swipes on that element scroll wide content, such as a table. */
function scrollsSideways(target: EventTarget | null): boolean {
  for (let at = target instanceof Element ? target : null; at !== null; at = at.parentElement) {
    const isWide = at.scrollWidth > at.clientWidth + 1;
    if (isWide && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}

/** A swipe must have this minimum length, and be this many times more horizontal than vertical. */
const MIN_PX = 60;
const SIDEWAYS = 1.5;
/** A touch without pinching may zoom the page up to this scale. */
const ENLARGED = 1.01;

/** Lets horizontal swipes page through the files. */
export function useSwipe(move: (step: number) => void, isOn: boolean) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined);
  return {
    onTouchStart: ({ touches, target }: TouchEvent) => {
      const touch = touches[0];
      // Two fingers zoom.
      const isSwipe = touches.length === 1 && !scrollsSideways(target);
      start.current = isSwipe && touch ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      const from = start.current;
      start.current = undefined;
      // On a page that was zoomed by pinching, a swipe moves the visible part.
      const isEnlarged = (window.visualViewport?.scale ?? 1) > ENLARGED;
      if (!isOn || isEnlarged || touch === undefined || from === undefined) return;
      const x = touch.clientX - from.x;
      if (Math.abs(x) >= MIN_PX && Math.abs(x) > SIDEWAYS * Math.abs(touch.clientY - from.y))
        move(x < 0 ? 1 : -1);
    },
  };
}
