import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still shown, for answers that may come after it was closed. */
export function useIsOpen(): RefObject<boolean> {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}
