import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { lazy } from 'react';
import { useUser } from '../api/use-session.ts';
import { UserAvatar } from '../features/account/user-avatar.tsx';
import { MenuLater } from '../ui/menu-later.tsx';

const UserMenuList = lazy(async () => ({ default: (await import('./user-menu-list.tsx')).UserMenuList }));

/** Who is logged in; behind it what is theirs, and the way out. */
export function UserMenu() {
  const { displayName } = useUser();
  return (
    <MenuLater
      target={
        <UnstyledButton w={40} h={40} display="grid" style={{ placeItems: 'center' }}>
          <UserAvatar size={36} />
          <VisuallyHidden>{displayName}</VisuallyHidden>
        </UnstyledButton>
      }
    >
      {(target) => <UserMenuList target={target} />}
    </MenuLater>
  );
}
