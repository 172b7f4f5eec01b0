import { useEffect, useRef } from 'react';

/** Goes one forward or back by the arrows, wherever the focus is. */
export function useArrowKeys(move: (step: number) => void, isOn: boolean): void {
  const latest = useRef(move);
  useEffect(() => {
    latest.current = move;
  });
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // In a film the arrows go forward and back in time.
      if (event.target instanceof HTMLMediaElement) return;
      if (event.key === 'ArrowRight') latest.current(1);
      else if (event.key === 'ArrowLeft') latest.current(-1);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOn]);
}
