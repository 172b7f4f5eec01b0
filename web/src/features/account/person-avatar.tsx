import { Avatar } from '@mantine/core';
import { useUser } from '../../api/use-session.ts';
import { UserAvatar } from './user-avatar.tsx';

interface PersonAvatarProps {
  /** Null for someone without an account. */
  readonly accountId: number | null;
  /** Null if unknown. */
  readonly displayName: string | null;
  readonly size: number;
}

/**
 * The initials of a person; for the user, their own avatar. The service shows avatars to their owners only.
 * Decorative.
 */
export function PersonAvatar({ accountId, displayName, size }: PersonAvatarProps) {
  const { id } = useUser();
  if (accountId === id) return <UserAvatar size={size} />;
  return (
    <Avatar
      {...(displayName !== null && { name: displayName })}
      color="blue"
      variant="light"
      radius="50%"
      size={size}
      alt=""
      aria-hidden
    />
  );
}
