import { Skeleton, Stack, Title } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { EntryRecord } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { EntryList } from '../../features/drive/entry-list.tsx';
import { EmptyNotice } from '../../ui/empty-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import classes from './recent-page.module.css';

/** Older files are found by search. */
const SIZE = 100;

/** The most recently changed files from all directories. */
export function RecentPage() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: KEYS.recent(),
    queryFn: ({ signal }) =>
      ask<readonly EntryRecord[]>('GET', '/api/files/recent', { query: { size: SIZE }, signal }),
  });
  return (
    <div className={classes.page}>
      <Title order={1} size="h3">
        {t('nav.recent')}
      </Title>
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {isPending && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      )}
      {data?.length === 0 && (
        <EmptyNotice icon={<IconClock size={48} stroke={1.2} aria-hidden />} title={t('search.noRecent')}>
          {t('search.noRecentHint')}
        </EmptyNotice>
      )}
      {data !== undefined && data.length > 0 && (
        <EntryList entries={data} label={t('search.recentFiles')} showPath time="updatedAt" />
      )}
    </div>
  );
}
