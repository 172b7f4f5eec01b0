import { Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import type { Point } from './use-entry-grid.ts';

interface PointMenuProps {
  /** Where in the window; closed without it. */
  readonly at: Point | undefined;
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A menu where the pointer is, or the entry. */
export function PointMenu({ at, label, onClose, children }: PointMenuProps) {
  // It stays where it is while it fades away.
  const last = useRef<Point>({ x: 0, y: 0 });
  if (at !== undefined) last.current = at;
  const { x, y } = last.current;
  return (
    <Menu
      key={`${x},${y}`}
      opened={at !== undefined}
      onChange={(isOpen) => isOpen || onClose()}
      position="bottom-start"
      offset={2}
      width={230}
      shadow="md"
      transitionProps={{ duration: 80 }}
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
