import { useEffect } from 'react';

/** Focuses the list as soon as it exists, unless something else has the focus. */
export function useFirstFocus(focus: () => void, isReady: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears
  useEffect(() => {
    if (isReady && document.activeElement === document.body) focus();
  }, [isReady]);
}
