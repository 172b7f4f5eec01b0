import { Group, NativeSelect, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconSearch, IconZoomExclamation } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { EntryList } from '../../features/drive/entry-list.tsx';
import { useDrive } from '../../features/drives/use-drive.ts';
import { addRecentSearch } from '../../features/search/recent-searches.ts';
import { formatNumber } from '../../messages/formats.ts';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { FilterChips } from './filter-chips.tsx';
import { hasFilters, readFilters, toSearchQuery } from './filters.ts';
import { RecentList } from './recent-list.tsx';
import classes from './search-page.module.css';
import { RESULT_ORDERS, type ResultOrder, sortResults } from './sort-results.ts';
import { useMarks } from './use-marks.ts';

const SIZE = 100;
/** A search is remembered once its results were shown for this long. */
const LOOKED_AT_MS = 1_500;
/** At most this many results can be sorted. Choosing an order loads them, a few at a time. */
const MAX_SORTED = 1_000;

export function SearchPage() {
  const { t } = useTranslation();
  const { id: userId } = useUser();
  const navigate = useNavigate();
  const { id: drive, key } = useDrive();
  const search = useSearch({ from: '/inside/in-drive/search' });
  const { q } = search;
  const filters = readFilters(search);
  // Filters alone are enough: "all pictures of this week" is a search as well.
  const isSearch = q.trim() !== '' || hasFilters(filters);
  useEffect(() => {
    const timer = setTimeout(() => addRecentSearch(userId, q), LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, [userId, q]);
  const queryKey = [...KEYS.search(key), q, filters];
  const results = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam: page, signal }) =>
      ask('GET /api/v2/files/search', {
        query: { ...toSearchQuery(q.trim(), filters, Date.now()), page, size: SIZE },
        drive: filters.scope === 'all' ? undefined : drive,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    enabled: isSearch,
    // The previous results stay visible until the new ones arrive.
    placeholderData: keepPreviousData,
  });
  const { data, error, refetch, isPlaceholderData, hasNextPage, fetchNextPage } = results;
  const list = useRef<HTMLDivElement>(null);
  useMarks(list, q);
  const total = data?.pages[0]?.total;
  const { order, canSort, choose } = useResultOrder({
    search: JSON.stringify(queryKey),
    total,
    hasMore: hasNextPage,
    isLoading: results.isFetching,
    hasFailed: results.isFetchNextPageError,
    onMore: fetchNextPage,
  });
  const entries = useMemo(() => {
    const found = unique(data?.pages.flatMap(({ items }) => items) ?? []);
    return hasNextPage ? found : sortResults(found, order);
  }, [data, hasNextPage, order]);
  const found = (
    <Text size="sm" c="dimmed" role="status">
      {isPlaceholderData ? '' : t('search.found', { count: total ?? 0, number: formatNumber(total ?? 0) })}
    </Text>
  );
  return (
    <div className={classes.page}>
      <Title order={1} size="h3" className={classes.title}>
        {q === '' ? t('nav.search') : t('search.title', { text: q })}
      </Title>
      <FilterChips
        filters={filters}
        onChange={(changed) => void navigate({ to: '/search', search: { q, ...changed }, replace: true })}
      />
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!isSearch && (
        <>
          <RecentList />
          <EmptyNotice icon={<IconSearch size={48} stroke={1.2} aria-hidden />} title={t('search.start')}>
            {t('search.startHint')}
          </EmptyNotice>
        </>
      )}
      {isSearch && data === undefined && error === null && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={44} />
          ))}
        </Stack>
      )}
      {isSearch && total === 0 && (
        <EmptyNotice
          icon={<IconZoomExclamation size={48} stroke={1.2} aria-hidden />}
          title={t('search.nothing')}
        >
          {t(hasFilters(filters) ? 'search.nothingFiltered' : 'search.nothingHint')}
        </EmptyNotice>
      )}
      {isSearch && entries.length > 0 && (
        <div ref={list} className={classes.list}>
          <EntryList
            entries={entries}
            total={total}
            label={t('drive.results')}
            showPath
            showDrive={filters.scope === 'all'}
            status={
              <Group gap="sm">
                {found}
                {canSort && <OrderSelect order={order} onChange={choose} />}
              </Group>
            }
            onEndSeen={() => {
              if (hasNextPage && !results.isFetchingNextPage) void fetchNextPage();
            }}
          />
        </div>
      )}
    </div>
  );
}

function OrderSelect(parts: {
  readonly order: ResultOrder;
  readonly onChange: (order: ResultOrder) => void;
}) {
  const { t } = useTranslation();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('search.order')}
      value={parts.order}
      data={RESULT_ORDERS.map((order) => ({ value: order, label: t(`search.orders.${order}`) }))}
      onChange={({ currentTarget: { value } }) =>
        parts.onChange(RESULT_ORDERS.find((order) => order === value) ?? 'match')
      }
    />
  );
}

/** Removes duplicates: a new entry shifts the others, so an entry may be on two pages. */
function unique(entries: readonly EntryRecord[]): readonly EntryRecord[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}

interface Results {
  /** Identifies the search. */
  readonly search: string;
  /** The number of results; undefined while unknown. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly hasFailed: boolean;
  readonly onMore: () => void;
}

/**
 * The order of the results, chosen for each search. The service can only sort by best match, so the page
 * sorts the results itself once all are loaded.
 */
function useResultOrder({ search, total, hasMore, isLoading, hasFailed, onMore }: Results) {
  const [chosen, setChosen] = useState<{ readonly search: string; readonly order: ResultOrder }>();
  const canSort = total !== undefined && (!hasMore || total <= MAX_SORTED);
  const order = canSort && chosen?.search === search ? chosen.order : 'match';
  useEffect(() => {
    if (order !== 'match' && hasMore && !isLoading && !hasFailed) onMore();
  }, [order, hasMore, isLoading, hasFailed, onMore]);
  return { order, canSort, choose: (next: ResultOrder) => setChosen({ search, order: next }) };
}
