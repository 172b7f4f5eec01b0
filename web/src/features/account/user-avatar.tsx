import { Avatar } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorOf } from '../../../../client/src/errors/read-error.ts';
import { fetchAnswer } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { useObjectUrl } from '../../ui/use-object-url.ts';

/** The user's avatar, or the initials if there is none. Decorative only. */
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

/**
 * An object URL of the avatar. The page loads the avatar, because an image element cannot send a token.
 * @param avatarUrl of the user object; it changes with every new avatar
 */
function useAvatar(avatarUrl: string | null): string | undefined {
  const { data: picture } = useQuery({
    queryKey: [...KEYS.profile(), 'avatar', avatarUrl],
    queryFn: ({ signal }) => fetchPicture(avatarUrl ?? '', signal),
    enabled: avatarUrl !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useObjectUrl(picture);
}

async function fetchPicture(avatarUrl: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchAnswer(avatarUrl, { signal });
  if (!response.ok) throw errorOf(response.status, 'The picture could not be loaded.');
  return response.blob();
}
