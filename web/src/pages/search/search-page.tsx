import { Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconSearch, IconZoomExclamation } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import type { EntryRecord, Page } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { EntryList } from '../../features/drive/entry-list.tsx';
import { formatNumber } from '../../messages/formats.ts';
import { EmptyNotice } from '../../ui/empty-notice.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import classes from './search-page.module.css';
import { useMarks } from './use-marks.ts';

const SIZE = 100;
const TYPES = ['all', 'file', 'directory'] as const;
type SoughtType = (typeof TYPES)[number];

export function SearchPage() {
  const { t } = useTranslation();
  const { q } = useSearch({ from: '/inside/search' });
  const [type, setType] = useState<SoughtType>('all');
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage } =
    useInfiniteQuery({
      queryKey: [...KEYS.search(q), type],
      queryFn: ({ pageParam: page, signal }) =>
        ask<Page<EntryRecord>>('GET', '/api/v2/files/search', {
          query: { name: q, type, page, size: SIZE },
          signal,
        }),
      initialPageParam: 0,
      getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
      enabled: q !== '',
      // The previous results stay visible until the new ones arrive.
      placeholderData: keepPreviousData,
    });
  const list = useRef<HTMLDivElement>(null);
  useMarks(list, q);
  const total = data?.pages[0]?.total;
  const entries = data === undefined ? [] : unique(data.pages.flatMap(({ items }) => items));
  const found = (
    <Text size="sm" c="dimmed" role="status">
      {isPlaceholderData ? '' : t('search.found', { count: total ?? 0, number: formatNumber(total ?? 0) })}
    </Text>
  );
  return (
    <div className={classes.page}>
      <Group justify="space-between">
        <Title order={1} size="h3" className={classes.title}>
          {q === '' ? t('nav.search') : t('search.title', { text: q })}
        </Title>
        {q !== '' && (
          <SegmentedControl
            aria-label={t('search.type')}
            value={type}
            onChange={(value) => setType(TYPES.find((known) => known === value) ?? 'all')}
            data={TYPES.map((value) => ({ value, label: t(`search.${value}`) }))}
          />
        )}
      </Group>
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {q === '' && (
        <EmptyNotice icon={<IconSearch size={48} stroke={1.2} aria-hidden />} title={t('search.start')}>
          {t('search.startHint')}
        </EmptyNotice>
      )}
      {q !== '' && data === undefined && error === null && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      )}
      {q !== '' && total === 0 && (
        <EmptyNotice
          icon={<IconZoomExclamation size={48} stroke={1.2} aria-hidden />}
          title={t('search.nothing')}
        >
          {t('search.nothingHint')}
        </EmptyNotice>
      )}
      {q !== '' && entries.length > 0 && (
        <div ref={list} className={classes.list}>
          <EntryList
            entries={entries}
            label={t('search.results')}
            showPath
            status={found}
            onEndSeen={() => {
              if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
            }}
          />
        </div>
      )}
    </div>
  );
}

/** A new entry shifts the others, so the last entry of a page may also be the first of the next. */
function unique(entries: readonly EntryRecord[]): readonly EntryRecord[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
