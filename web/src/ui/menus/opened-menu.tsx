import { Menu, type MenuProps } from '@mantine/core';
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';

interface OpenedMenuProps extends Omit<MenuProps, 'opened' | 'onChange' | 'children'> {
  readonly target: ReactElement<{ ref?: Ref<HTMLButtonElement> }>;
  readonly children: ReactNode;
}

/** A menu that is open from the start: see `menu-later.tsx`. */
export function OpenedMenu({ target, children, ...looks }: OpenedMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // This button has replaced the one that was pressed, so it takes the focus.
    button.current?.focus();
    setOpen(true);
  }, []);
  return (
    <Menu {...looks} opened={isOpen} onChange={setOpen}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
