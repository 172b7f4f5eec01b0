import { Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { Point } from './use-entry-grid.ts';

interface PointMenuProps {
  /** The position in the window; undefined while closed. */
  readonly at: Point | undefined;
  readonly label: string;
  readonly onClose: () => void;
  /** Where the focus returns to, unless the chosen action has moved it. */
  readonly onFocusBack: () => void;
  readonly children: ReactNode;
}

/** A menu at the pointer or the entry. */
export function PointMenu({ at, label, onClose, onFocusBack, children }: PointMenuProps) {
  // The position must not change while the menu fades out.
  const last = useRef<Point>({ x: 0, y: 0 });
  if (at !== undefined) last.current = at;
  const { x, y } = last.current;
  const close = () => {
    onClose();
    requestAnimationFrame(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement?.closest('[role="menu"]')) onFocusBack();
    });
  };
  return (
    <Menu
      key={`${x},${y}`}
      opened={at !== undefined}
      onChange={(isOpen) => isOpen || close()}
      returnFocus={false}
      position="bottom-start"
      offset={2}
      width={230}
      shadow="md"
      transitionProps={{ duration: 80 }}
      // Inside the main region, for screen readers, and without items that cannot be chosen.
      withinPortal={false}
      floatingStrategy="fixed"
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button
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
      <Menu.Dropdown mah="min(480px, 90dvh)" style={{ overflowY: 'auto' }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
