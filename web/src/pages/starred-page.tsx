import { Skeleton, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../api/ask.ts';
import { KEYS } from '../api/keys.ts';
import { EntryList } from '../features/drive/entry-list.tsx';
import { useDrive } from '../features/drives/use-drive.ts';
import { Page } from '../ui/page/page.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { EmptyNotice } from '../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../ui/placeholders/failure-notice.tsx';
import { ToFiles } from '../ui/placeholders/to-files.tsx';
import { useIsLow } from '../ui/screen-size.ts';

const SIZE = 200;

/** Starred files and folders, the most recently starred first. */
export function StarredPage() {
  const { t } = useTranslation();
  const { id: drive, key } = useDrive();
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: KEYS.starred(key),
      queryFn: ({ pageParam: page, signal }) =>
        ask('GET /api/v2/files/starred', { query: { page, size: SIZE }, drive, signal }),
      initialPageParam: 0,
      getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    });
  const entries = data?.pages.flatMap(({ items }) => items) ?? [];
  const title = <PageTitle>{t('nav.starred')}</PageTitle>;
  // If there is little height, the title is in the toolbar.
  const isInToolbar = useIsLow() && entries.length > 0;
  return (
    <Page title={!isInToolbar && title} isFilling>
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      )}
      {data !== undefined && entries.length === 0 && (
        <EmptyNotice drawing="star" title={t('starred.nothing')} action={<ToFiles />}>
          {t('starred.nothingHint')}
        </EmptyNotice>
      )}
      {entries.length > 0 && (
        <EntryList
          entries={entries}
          total={data?.pages[0]?.total}
          label={t('starred.list')}
          showPath
          heading={isInToolbar ? title : undefined}
          onEndSeen={() => {
            if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
          }}
        />
      )}
    </Page>
  );
}
