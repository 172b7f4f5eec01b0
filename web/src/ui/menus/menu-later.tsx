import { cloneElement, type ReactElement, type ReactNode, Suspense, useState } from 'react';

type Target = ReactElement<{ onClick?: () => void; 'aria-haspopup'?: 'menu'; 'aria-expanded'?: boolean }>;

interface MenuLaterProps {
  /** The button. */
  readonly target: Target;
  /** The menu around it: an {@link OpenedMenu} in a component that is loaded lazily. */
  readonly children: (target: Target) => ReactNode;
}

/** A button whose menu is loaded when it is first used: menus are as large as all the rest of a list. */
export function MenuLater({ target, children }: MenuLaterProps) {
  const [isWanted, setWanted] = useState(false);
  const alone = cloneElement(target, {
    onClick: () => setWanted(true),
    'aria-haspopup': 'menu',
    'aria-expanded': false,
  });
  return isWanted ? <Suspense fallback={alone}>{children(target)}</Suspense> : alone;
}
