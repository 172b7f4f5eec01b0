import { Menu, type MenuProps } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import {
  type CSSProperties,
  type ReactNode,
  type RefObject,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import type { Point } from '../state/use-entry-grid.ts';
import styles from './point-menu.module.css';

const MARGIN_PX = 8;
/** The function keys except F2, which renames in a list. */
const BROWSER_KEYS = /^F(?!2$)\d/;

/**
 * If there is not enough room below the point, the menu moves up so that all actions are visible. It scrolls
 * only if it is taller than the page.
 */
const WITHIN_PAGE: NonNullable<MenuProps['middlewares']> = {
  flip: false,
  shift: { crossAxis: true, padding: MARGIN_PX },
};

const WITHIN_HEIGHT: CSSProperties = { overflowY: 'auto', maxHeight: `calc(100dvh - ${2 * MARGIN_PX}px)` };

/** Overrides the computed position of the menu. */
const AT_LOWER_EDGE: CSSProperties = {
  position: 'fixed',
  top: 'auto',
  right: 0,
  bottom: 0,
  left: 0,
  width: 'auto',
  maxHeight: '85dvh',
  overflowY: 'auto',
};

interface PointMenuProps {
  /** The position in the window; undefined while closed. */
  readonly at: Point | undefined;
  readonly label: string;
  readonly onClose: () => void;
  /** Where the focus returns to, unless the chosen action has moved it. */
  readonly onFocusBack: () => void;
  readonly children: ReactNode;
}

/** A menu at the pointer or the entry. On a phone, it is a sheet at the lower edge, near the thumb. */
export function PointMenu({ at, label, onClose, onFocusBack, children }: PointMenuProps) {
  // The position must not change while the menu fades out.
  const last = useRef<Point>({ x: 0, y: 0 });
  if (at !== undefined) last.current = at;
  const { x, y } = last.current;
  const isOpen = useRef(false);
  isOpen.current = at !== undefined;
  const target = useRef<HTMLButtonElement>(null);
  const dropdown = useRef<HTMLDivElement>(null);
  const isSheet = useMediaQuery('(max-width: 48em) and (pointer: coarse)') ?? false;
  const close = () => {
    onClose();
    requestAnimationFrame(() => {
      // Leaves the focus alone if the menu was opened again at another entry, or another menu has it.
      if (isOpen.current) return;
      const { activeElement } = document;
      const isLost = activeElement === document.body || activeElement === target.current;
      if (isLost || dropdown.current?.contains(activeElement)) onFocusBack();
    });
  };
  useOpenMenuKeys(at, dropdown, close);
  return (
    <Menu
      key={`${x},${y}`}
      opened={at !== undefined}
      onChange={(opened) => opened || close()}
      returnFocus={false}
      position="bottom-start"
      offset={2}
      width={230}
      shadow="md"
      transitionProps={{ duration: 80 }}
      // Rendered inside the main region for screen readers, without items that cannot be chosen.
      withinPortal={false}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
      middlewares={isSheet ? {} : WITHIN_PAGE}
      withOverlay={isSheet}
    >
      <Menu.Target>
        <button
          ref={target}
          type="button"
          tabIndex={-1}
          aria-label={label}
          aria-hidden={at === undefined}
          style={{
            position: 'fixed',
            left: x,
            top: y,
            width: 1,
            height: 1,
            padding: 0,
            border: 0,
            opacity: 0,
            pointerEvents: 'none',
          }}
        />
      </Menu.Target>
      <Menu.Dropdown
        ref={dropdown}
        className={isSheet ? styles.sheet : undefined}
        style={isSheet ? AT_LOWER_EDGE : WITHIN_HEIGHT}
      >
        {isSheet && <Menu.Label className={styles.title}>{label}</Menu.Label>}
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}

/**
 * Sends keys to a menu that was just opened. The menu is focused only after it is drawn. Until then the list
 * has the focus, and would handle keys that are meant for the menu. Escape closes the menu, and any other key
 * focuses its first item. The browser's function keys and combinations with Ctrl, Alt or Command still reach
 * the page. So do all keys while the code of the first menu is being loaded.
 * @param at the position of the menu; undefined while it is closed
 */
function useOpenMenuKeys(
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
  // A layout effect, so the listener exists before the next key, even if the menu's code was just loaded.
  useLayoutEffect(() => {
    if (at === undefined) return;
    const end = new AbortController();
    const options = { capture: true, signal: end.signal };
    window.addEventListener('keydown', (event) => onKeyDown(event), options);
    // Once the menu has had the focus, keys go to the focused element as usual.
    window.addEventListener('focusin', (event) => isFocused(event) && end.abort(), options);
    return () => end.abort();
  }, [at]);
}
