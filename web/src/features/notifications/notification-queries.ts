import { type InfiniteData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DataOf } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { notifyError } from '../../ui/notifications/notify.ts';
import type { NotificationRecord } from './notification.ts';

type Page = DataOf<'GET /api/v2/notifications'>;

/** How many notifications one page of the list has. */
const SIZE = 20;
const LIST_KEY = [...KEYS.notifications(), 'list'] as const;
const READ_KEY = [...KEYS.notifications(), 'read'] as const;

/** The notifications, newest first. */
export function useNotifications() {
  return useInfiniteQuery({
    queryKey: LIST_KEY,
    queryFn: ({ pageParam: page, signal }) =>
      ask('GET /api/v2/notifications', { query: { page, size: SIZE }, signal }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
  });
}

/** Keeps only the newest page once the list is closed, so that it does not grow with each visit. */
export function useNewestOnly(): void {
  const queries = useQueryClient();
  useEffect(
    () => () => {
      queries.setQueryData<InfiniteData<Page, number>>(LIST_KEY, (data) =>
        data === undefined || data.pages.length < 2
          ? data
          : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      );
    },
    [queries],
  );
}

/** Without duplicates: new notifications shift the others, so one may be on two pages. */
export function allOf(data: InfiniteData<Page> | undefined): readonly NotificationRecord[] {
  return [...new Map(data?.pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
}

/** What to mark as read: these notifications, or all up to this one. */
type Reading = { readonly ids: number[] } | { readonly until: number };

/** Marks notifications as read, on the page at once. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: READ_KEY,
    mutationFn: (reading: Reading) => ask('POST /api/v2/notifications/read', { body: reading }),
    onMutate: async (reading) => {
      // A list that was requested before would show them as unread again.
      await queries.cancelQueries({ queryKey: LIST_KEY });
      const readAt = new Date().toISOString();
      const isMeant = ({ id }: NotificationRecord) =>
        'ids' in reading ? reading.ids.includes(id) : id <= reading.until;
      queries.setQueryData<InfiniteData<Page>>(LIST_KEY, (data) =>
        data === undefined
          ? data
          : { ...data, pages: data.pages.map((page) => withRead(page, isMeant, readAt)) },
      );
    },
    onSuccess: ({ unread }) => queries.setQueryData(KEYS.unreadNotifications(), unread),
    onError: notifyError,
    onSettled: () => {
      // Also fetches what a cancelled request would have brought.
      if (queries.isMutating({ mutationKey: READ_KEY }) === 1)
        void queries.invalidateQueries({ queryKey: KEYS.notifications() });
    },
  });
}

function withRead(page: Page, isMeant: (item: NotificationRecord) => boolean, readAt: string): Page {
  const items = page.items.map((item) =>
    item.readAt === null && isMeant(item) ? { ...item, readAt } : item,
  );
  return { ...page, items };
}
