import { useEffect, useState } from 'react';

/**
 * Returns the focus when a dialog is unmounted: to the element that had it before, or else to the dialog
 * below, the list, or the content. Mantine returns it only when a mounted dialog closes.
 */
export function useReturnedFocus(): void {
  const [opener] = useState(findOpener);
  useEffect(
    () => () => {
      // Deferred, because whatever replaces the removed dialog may take the focus.
      setTimeout(() => returnFocus(opener));
    },
    [opener],
  );
}

/** A menu item disappears with its menu, so the focus returns to the menu's button. */
function findOpener(): Element | null {
  const { activeElement } = document;
  const button = activeElement?.closest('[role="menu"]')?.getAttribute('aria-labelledby') ?? null;
  return button === null ? activeElement : document.getElementById(button);
}

function returnFocus(opener: Element | null): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]')].at(-1);
  const page = () =>
    document.querySelector<HTMLElement>('[role="grid"]') ?? document.getElementById('content');
  // The button of a menu that opened at the mouse is hidden.
  const isHidden = opener?.closest('[aria-hidden="true"]') != null;
  const isInReach = !isHidden && (dialog?.contains(opener) ?? true);
  for (const place of [isInReach ? opener : undefined, dialog ?? page()]) {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  }
}
