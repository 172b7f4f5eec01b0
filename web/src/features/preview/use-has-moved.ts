import { type RefObject, useEffect, useRef } from 'react';

/** Events by which the reader scrolls. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** Whether the reader may have scrolled the element. @param root null while there is none */
export function useHasMoved(root: HTMLElement | null): RefObject<boolean> {
  const hasMoved = useRef(false);
  useEffect(() => {
    if (root === null) return;
    const onMove = () => {
      hasMoved.current = true;
    };
    for (const move of MOVES) root.addEventListener(move, onMove, { passive: true });
    return () => {
      for (const move of MOVES) root.removeEventListener(move, onMove);
    };
  }, [root]);
  return hasMoved;
}
