import { useRouter } from '@tanstack/react-router';
import { useRef } from 'react';

/**
 * Closes something that is part of the address: by a step back if it was opened on this page, so that no step of
 * the history is left over.
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
    /** @param onStay called where a step back would lead elsewhere: the address is to be replaced */
    close: (onStay: () => void) => {
      if (isOpenedHere.current) router.history.back();
      else onStay();
      isOpenedHere.current = false;
    },
  };
}
