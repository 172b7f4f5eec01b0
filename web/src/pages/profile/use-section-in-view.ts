import { type RefObject, useEffect } from 'react';

/** User actions after which the page must no longer scroll to the section of the address. */
const USER_ACTIONS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Keeps the section that the address names in view while the sections above it load and grow. */
export function useSectionInView(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const section = document.getElementById(window.location.hash.slice(1));
    if (section === null || list.current === null) return;
    const observer = new ResizeObserver(() => section.scrollIntoView());
    observer.observe(list.current);
    const end = () => observer.disconnect();
    for (const move of USER_ACTIONS) window.addEventListener(move, end, { once: true, passive: true });
    return () => {
      end();
      for (const move of USER_ACTIONS) window.removeEventListener(move, end);
    };
  }, [list]);
}
