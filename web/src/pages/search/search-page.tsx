import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';
import { useUser } from '../../api/use-session.ts';
import { EntryList } from '../../features/drive/entry-list.tsx';
import { useDrive } from '../../features/drives/use-drive.ts';
import { addRecentSearch } from '../../features/search/recent-searches.ts';
import { useHasContentSearch } from '../../features/search/use-content-search.ts';
import { formatNumber } from '../../messages/formats.ts';
import { Page } from '../../ui/page/page.tsx';
import { EmptyNotice } from '../../ui/placeholders/empty-notice.tsx';
import { FailureNotice } from '../../ui/placeholders/failure-notice.tsx';
import { FilterChips } from './filter-chips.tsx';
import {
  hasFilters,
  type ResultOrder,
  readFilters,
  type SearchFilters,
  toSearchQuery,
  withoutFilters,
} from './filters.ts';
import { ReadingProgress } from './reading-progress.tsx';
import { RecentList } from './recent-list.tsx';
import { OrderSelect, useResultOrder } from './result-order.tsx';
import classes from './search-page.module.css';
import { sortResults, toSortQuery } from './sort-results.ts';
import { useMarks } from './use-marks.ts';
import { usePassages } from './use-passages.tsx';
import { useRepeats } from './use-repeats.ts';

const SIZE = 100;
/** For each file of a page, the service reads the text to find the passage. */
const CONTENT_SIZE = 50;
/** A search is remembered once its results were shown for this long. */
const LOOKED_AT_MS = 1_500;
/** No event announces newly indexed text, so a search without results is repeated. */
const REPEAT_MS = 20_000;

export function SearchPage() {
  const { t } = useTranslation();
  const { id: userId } = useUser();
  const navigate = useNavigate();
  const search = useSearch({ from: '/inside/in-drive/search' });
  const { q } = search;
  const filters = useFilters(search);
  const isContent = filters.in === 'content';
  // For names, filters alone are enough: "all pictures of this week" is a search as well.
  const isSearch = q.trim() !== '' || (!isContent && hasFilters(filters));
  useEffect(() => {
    const timer = setTimeout(() => addRecentSearch(userId, q), LOOKED_AT_MS);
    return () => clearTimeout(timer);
  }, [userId, q]);
  const { results, entries, total, order, canSort } = useResults(q.trim(), filters, isSearch);
  const { data, error, refetch, isPlaceholderData, hasNextPage, isFetchNextPageError } = results;
  const [list, setList] = useState<HTMLElement | null>(null);
  useMarks(list, isContent ? '' : q);
  const passages = usePassages(isContent);
  const change = (changed: SearchFilters) =>
    void navigate({ to: '/search', search: { q, ...changed }, replace: true });
  const chooseOrder = (chosen: ResultOrder) =>
    change({ ...filters, sort: chosen === 'match' ? undefined : chosen });
  const count = (
    <Text size="sm" c="dimmed" role="status">
      {isPlaceholderData ? '' : t('search.found', { count: total ?? 0, number: formatNumber(total ?? 0) })}
    </Text>
  );
  return (
    <Page title={q === '' ? t('nav.search') : t('search.title', { text: q })} isFilling>
      <FilterChips filters={filters} onChange={change} />
      {isContent && <ReadingProgress />}
      {error !== null && data === undefined && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {!isSearch && (
        <>
          <RecentList />
          <EmptyNotice drawing="search" title={t('search.start')}>
            {t(isContent ? 'search.startHintContent' : 'search.startHint')}
          </EmptyNotice>
        </>
      )}
      {isSearch && data === undefined && error === null && (
        <Stack gap="xs">
          {[1, 2, 3, 4].map((row) => (
            <Skeleton key={row} h={isContent ? 84 : 44} />
          ))}
        </Stack>
      )}
      {isSearch && total === 0 && <Nothing text={q.trim()} filters={filters} onChange={change} />}
      {isSearch && entries.length > 0 && (
        <div ref={setList} className={classes.list}>
          <EntryList
            entries={entries}
            total={total}
            label={t('drive.results')}
            showPath
            showDrive={filters.scope === 'all'}
            below={passages}
            status={
              <Group gap="sm">
                {count}
                {canSort && <OrderSelect order={order} onChange={chooseOrder} />}
              </Group>
            }
            onEndSeen={() => {
              if (hasNextPage && !results.isFetching && !isFetchNextPageError) void results.fetchNextPage();
            }}
          />
          {isFetchNextPageError && !results.isFetchingNextPage && (
            <FailureNotice error={error} onRetry={() => void results.fetchNextPage()} />
          )}
        </div>
      )}
    </Page>
  );
}

/** The filters in the address, except those that this server does not know. */
function useFilters(search: SearchFilters): SearchFilters {
  const hasContentSearch = useHasContentSearch();
  const filters = readFilters({ ...search });
  return hasContentSearch === false ? { ...filters, in: undefined } : filters;
}

/** @param text without spaces around it */
function useResults(text: string, filters: SearchFilters, isSearch: boolean) {
  const { id: drive, key } = useDrive();
  // Without words, only the filters count.
  const isContent = filters.in === 'content' && text !== '';
  useRepeats(key, isContent);
  const area = isContent ? KEYS.contentSearch(key) : KEYS.search(key);
  const { sort: chosen = 'match', ...narrowed } = filters;
  const sorting = isContent ? toSortQuery(chosen) : {};
  const results = useInfiniteQuery({
    queryKey: [...area, text, narrowed, sorting],
    queryFn: ({ pageParam: page, signal }) =>
      ask('GET /api/v2/files/search', {
        query: {
          ...toSearchQuery(text, filters, Date.now()),
          ...sorting,
          page,
          size: isContent ? CONTENT_SIZE : SIZE,
        },
        drive: filters.scope === 'all' ? undefined : drive,
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ page, size, total }) => ((page + 1) * size < total ? page + 1 : undefined),
    enabled: isSearch,
    // The previous results stay visible until the new ones arrive, unless those have other columns.
    placeholderData: (previous, query) => (query?.queryKey[0] === area[0] ? previous : undefined),
    refetchInterval: ({ state }) => isContent && state.data?.pages[0]?.total === 0 && REPEAT_MS,
  });
  const { data, hasNextPage } = results;
  const total = data?.pages[0]?.total;
  const found = useMemo(() => unique(data?.pages.flatMap(({ items }) => items) ?? []), [data]);
  const { order, canSort } = useResultOrder({
    chosen,
    isSorted: isContent,
    total,
    hasMore: hasNextPage,
    isLoading: results.isFetching,
    hasFailed: results.isFetchNextPageError,
    onMore: results.fetchNextPage,
  });
  const entries = useMemo(
    () => (isContent || hasNextPage ? found : sortResults(found, order)),
    [found, isContent, hasNextPage, order],
  );
  return { results, entries, total, order, canSort };
}

interface NothingProps {
  readonly text: string;
  readonly filters: SearchFilters;
  readonly onChange: (filters: SearchFilters) => void;
}

/** Shown for a search without results. */
function Nothing({ text, filters, onChange }: NothingProps) {
  const { t } = useTranslation();
  const hasContentSearch = useHasContentSearch();
  const isContent = filters.in === 'content';
  const hint = isContent ? 'search.nothingInContent' : 'search.nothingHint';
  return (
    <EmptyNotice
      drawing="search"
      title={t('search.nothing')}
      action={
        <Group gap="xs" justify="center">
          {hasFilters(filters) && (
            <Button variant="light" mih="var(--tap-size)" onClick={() => onChange(withoutFilters(filters))}>
              {t('search.clearFilters')}
            </Button>
          )}
          {hasContentSearch === true && !isContent && text !== '' && (
            <Button
              variant="default"
              mih="var(--tap-size)"
              onClick={() => onChange({ ...filters, in: 'content' })}
            >
              {t('search.tryContent')}
            </Button>
          )}
        </Group>
      }
    >
      {t(hasFilters(filters) ? 'search.nothingFiltered' : hint)}
    </EmptyNotice>
  );
}

/** Removes duplicates: a new entry shifts the others, so an entry may be on two pages. */
function unique<T extends { readonly id: number }>(entries: readonly T[]): readonly T[] {
  return [...new Map(entries.map((entry) => [entry.id, entry])).values()];
}
