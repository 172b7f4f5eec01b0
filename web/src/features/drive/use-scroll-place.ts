import { useEffect, useRef } from 'react';

export interface ScrollPlace {
  top: number;
  active: number;
}

/** Stores the scroll position for the next visit. */
export function useScrollPlace(
  place: ScrollPlace | undefined,
  { ref, active }: { ref: { current: HTMLElement | null }; active: number },
) {
  const now = useRef(active);
  useEffect(() => {
    now.current = active;
  });
  useEffect(() => {
    const list = ref.current;
    if (place === undefined || list === null) return;
    const storeTop = () => {
      place.top = list.scrollTop;
    };
    list.addEventListener('scroll', storeTop, { passive: true });
    return () => {
      list.removeEventListener('scroll', storeTop);
      place.active = now.current;
    };
  });
}
