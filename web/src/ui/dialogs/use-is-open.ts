import { type RefObject, useEffect, useRef } from 'react';

/** Whether the component is still shown. For responses that may arrive after it was closed. */
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
