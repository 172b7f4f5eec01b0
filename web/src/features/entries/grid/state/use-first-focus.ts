import { useEffect } from 'react';

/** Whether any key was pressed in this document, which shows that the user uses the keyboard. */
let wasKeyPressed = false;
window.addEventListener(
  'keydown',
  () => {
    wasKeyPressed = true;
  },
  { capture: true, once: true },
);

/**
 * Focuses the list as soon as it exists, unless something else has the focus. Browsers outline elements that
 * a script focuses. The outline would look like a selection, so it is hidden until the first key press.
 */
export function useFirstFocus(focus: () => void, isReady: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the list appears
  useEffect(() => {
    if (!isReady || document.activeElement !== document.body) return;
    focus();
    const list = document.activeElement;
    if (wasKeyPressed || list === null || list === document.body) return;
    list.setAttribute('data-quiet', '');
    const onKey = () => list.removeAttribute('data-quiet');
    window.addEventListener('keydown', onKey, { capture: true, once: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [isReady]);
}
