import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useUser } from '../api/use-session.ts';
import { lazyPart } from '../common/timing/lazy-part.ts';
import { UserAvatar } from '../features/account/user-avatar.tsx';
import { MenuLater } from '../ui/menus/menu-later.tsx';

const UserMenuList = lazyPart(async () => (await import('./user-menu-list.tsx')).UserMenuList);

/** The button with the user's avatar that opens the user menu. */
export function UserMenu() {
  const { displayName } = useUser();
  return (
    <MenuLater
      target={
        <UnstyledButton
          w="var(--tap-size)"
          h="var(--tap-size)"
          display="grid"
          style={{ placeItems: 'center' }}
        >
          <UserAvatar size={36} />
          <VisuallyHidden>{displayName}</VisuallyHidden>
        </UnstyledButton>
      }
    >
      {(target) => <UserMenuList target={target} />}
    </MenuLater>
  );
}
