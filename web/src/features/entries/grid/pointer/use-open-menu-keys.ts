import { type RefObject, useEffectEvent, useLayoutEffect } from 'react';
import type { Point } from '../state/use-entry-grid.ts';

/** The function keys, but F2, with which a list renames. */
const BROWSER_KEYS = /^F(?!2$)\d/;

/**
 * Gives the keys to a menu that was just opened. It gets the focus only after it is drawn; until then the list has the
 * focus, and would act on keys that are meant for the menu. Escape closes the menu; any other key moves the focus to
 * its first item. The function keys of browsers and combinations with Ctrl, Alt or Command still reach the page. So do all keys while
 * the code of the first menu is being loaded.
 * @param at where the menu is; undefined while it is closed
 */
export function useOpenMenuKeys(
  at: Point | undefined,
  menu: RefObject<HTMLElement | null>,
  onClose: () => void,
): void {
  const isInMenu = ({ target }: Event) => target instanceof Node && menu.current?.contains(target) === true;
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const isForPage = event.ctrlKey || event.altKey || event.metaKey || BROWSER_KEYS.test(event.key);
    if (isForPage || isInMenu(event)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else menu.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
  });
  const isFocused = useEffectEvent(isInMenu);
  // A layout effect, so that the listener exists before the next key, even if the menu's code has just been loaded.
  useLayoutEffect(() => {
    if (at === undefined) return;
    const end = new AbortController();
    const options = { capture: true, signal: end.signal };
    window.addEventListener('keydown', (event) => onKeyDown(event), options);
    // From then on, whatever takes the focus from the menu gets the keys.
    window.addEventListener('focusin', (event) => isFocused(event) && end.abort(), options);
    return () => end.abort();
  }, [at]);
}
