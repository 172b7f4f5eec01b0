import { useEffect } from 'react';

/** Whether this document has seen a key, which tells people who use the keyboard from others. */
let wasKeyPressed = false;
window.addEventListener(
  'keydown',
  () => {
    wasKeyPressed = true;
  },
  { capture: true, once: true },
);

/**
 * Focuses the list as soon as it exists, unless something else has the focus. Browsers outline what a page
 * focuses by itself; the outline would look like a selection, so it appears with the first key.
 */
export function useFirstFocus(focus: () => void, isReady: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the list appears
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
