import { useQuery } from '@tanstack/react-query';
import type { LoginSessionRecord } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { useSession } from '../../../api/use-session.ts';

/** The other devices of the user that are present now. A message of the event stream refetches them. */
export function useDevices(): readonly LoginSessionRecord[] {
  const isLoggedIn = useSession() !== undefined;
  const { data = [] } = useQuery({
    queryKey: KEYS.logins(),
    queryFn: ({ signal }) => ask('GET /api/user/sessions', { signal }),
    enabled: isLoggedIn,
    // The stream of this page may have opened only after the list was loaded last.
    staleTime: 0,
  });
  return isLoggedIn ? data.filter(({ here, current }) => here && !current) : [];
}
