import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

/** The number of unread notifications; 0 until it is known. */
export function useUnreadCount(): number {
  const { data } = useQuery({
    queryKey: KEYS.unreadNotifications(),
    queryFn: async ({ signal }) => {
      const { unread } = await ask('GET /api/v2/notifications', { query: { size: 1 }, signal });
      return unread;
    },
  });
  return data ?? 0;
}
