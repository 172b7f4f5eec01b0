import { type RefObject, useEffect, useEffectEvent } from 'react';

/**
 * Gives the keys to an open menu, also before it has the focus. A menu gets the focus only after it is drawn.
 * Until then the list has it, and would act on keys that are meant for the menu. Escape closes the menu; any
 * other key moves the focus to its first item. Combinations with Ctrl, Alt or Command still reach the page.
 */
export function useOpenMenuKeys(
  isOpen: boolean,
  menu: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Node && menu.current?.contains(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
  });
  useEffect(() => {
    if (!isOpen) return;
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    window.addEventListener('keydown', listener, true);
    return () => window.removeEventListener('keydown', listener, true);
  }, [isOpen]);
}
