import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

/**
 * Closes something whose open state is part of the address. If it was opened on this page, the browser goes
 * back one step, so the history has no leftover entry.
 */
export function useStepBack() {
  const router = useRouter();
  const isOpenedHere = useRef(false);
  return {
    noteOpened: () => {
      isOpenedHere.current = true;
    },
    noteClosed: () => {
      isOpenedHere.current = false;
    },
    /** @param onStay called if going back would leave the page: the caller must replace the address */
    close: (onStay: () => void) => {
      if (isOpenedHere.current) router.history.back();
      else onStay();
      isOpenedHere.current = false;
    },
  };
}
