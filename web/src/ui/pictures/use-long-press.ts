import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const LONG_PRESS_MS = 450;
/** A touch that moves further than this is a scroll. */
const MAX_TAP_MOVE_PX = 10;

/**
 * Calls `onPress` when a finger stays on an element, and while something is selected also for a tap. The click
 * that follows does nothing else.
 */
export function useLongPress(onPress: (target: Element) => void, isSelecting: boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const press = useRef({ isTouch: false, isLong: false, x: 0, y: 0 });
  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerDown: ({ pointerType, clientX: x, clientY: y, target }: PointerEvent) => {
      stop();
      press.current = { isTouch: pointerType === 'touch', isLong: false, x, y };
      if (pointerType !== 'touch' || !(target instanceof Element) || isControl(target)) return;
      timer.current = setTimeout(() => {
        press.current.isLong = true;
        navigator.vibrate?.(10);
        onPress(target);
      }, LONG_PRESS_MS);
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const { x, y } = press.current;
      if (Math.hypot(clientX - x, clientY - y) > MAX_TAP_MOVE_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onScroll: stop,
    onContextMenu: (event: MouseEvent) => {
      if (press.current.isTouch) event.preventDefault();
    },
    onClickCapture: (event: MouseEvent) => {
      const { isTouch, isLong } = press.current;
      stop();
      if (!isTouch || !(event.target instanceof Element) || isControl(event.target)) return;
      if (!isLong && !isSelecting) return;
      event.preventDefault();
      event.stopPropagation();
      if (!isLong) onPress(event.target);
    },
  };
}

function isControl(target: Element): boolean {
  return target.closest('label') !== null;
}
