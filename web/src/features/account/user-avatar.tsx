import { Avatar } from '@mantine/core';
import { useUser } from '../../api/use-session.ts';
import { useAvatar } from './use-avatar.ts';

/** The picture of whoever is logged in; the first letters of the name where there is none. For the eye only. */
export function UserAvatar({ size }: { size: number }) {
  const { displayName, avatarUrl } = useUser();
  const picture = useAvatar(avatarUrl);
  return (
    <Avatar
      name={displayName}
      color="blue"
      variant="filled"
      radius="50%"
      size={size}
      src={picture ?? null}
      alt=""
      aria-hidden
    />
  );
}
