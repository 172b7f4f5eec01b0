import { type TouchEvent, useRef } from 'react';

/** So far, and so much more sideways than up or down, is meant. */
const LEAST_PX = 60;
const SIDEWAYS = 1.5;

/** Goes one forward or back by a finger that is drawn across. */
export function useSwipe(move: (step: number) => void, isOn: boolean) {
  const start = useRef<{ x: number; y: number } | undefined>(undefined);
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches[0];
      // Two fingers make it larger.
      start.current = touches.length === 1 && touch ? { x: touch.clientX, y: touch.clientY } : undefined;
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const touch = changedTouches[0];
      const from = start.current;
      start.current = undefined;
      if (!isOn || touch === undefined || from === undefined) return;
      const x = touch.clientX - from.x;
      if (Math.abs(x) >= LEAST_PX && Math.abs(x) > SIDEWAYS * Math.abs(touch.clientY - from.y))
        move(x < 0 ? 1 : -1);
    },
  };
}
