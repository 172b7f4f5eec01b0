import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { fetchAnswer } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

/**
 * An address at which the page may show the picture: it is for those who are logged in, and no image asks with a token.
 * @param avatarUrl of the user object: a new picture has a new one
 */
export function useAvatar(avatarUrl: string | null): string | undefined {
  const { data: picture } = useQuery({
    queryKey: [...KEYS.profile(), 'avatar', avatarUrl],
    queryFn: ({ signal }) => fetchPicture(avatarUrl ?? '', signal),
    enabled: avatarUrl !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (picture === undefined) return setAddress(undefined);
    const made = URL.createObjectURL(picture);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return address;
}

async function fetchPicture(avatarUrl: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetchAnswer('GET', avatarUrl, { signal });
  if (!response.ok) throw new ApiError(response.status, 'The picture could not be loaded.');
  return response.blob();
}
