import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';

type Target = ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;

interface MenuLaterProps {
  /** The button. */
  readonly target: Target;
  /** Renders the menu around the button: an {@link OpenedMenu} in a lazily loaded component. */
  readonly children: (target: Target) => ReactNode;
}

/**
 * A button whose menu is loaded on first use, because the code of menus is as large as the rest of a list.
 */
export function MenuLater({ target, children }: MenuLaterProps) {
  const [isWanted, setWanted] = useState(false);
  const alone = cloneElement(target, {
    onClick: () => setWanted(true),
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  });
  return isWanted ? <Suspense fallback={alone}>{children(target)}</Suspense> : alone;
}
