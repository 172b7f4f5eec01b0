import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EntryRecord, Page } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { MONTHS_KEY, type MonthCount, PICTURES_KEY } from '../../features/entries/change/listed-entries.ts';
import { usePages } from '../../features/entries/use-pages.ts';
import type { DayCount } from './day-lines.ts';

/** How long the counts stay fresh. Pages that are fetched together share them. */
const COUNTED_MS = 2_000;

const COUNTS = queryOptions({
  queryKey: MONTHS_KEY,
  queryFn: ({ signal }) => ask('GET /api/v2/files/timeline/months', { signal }),
});

/**
 * The pictures and videos of the user, newest first. The counts of all days are loaded first, so that the
 * position of every part is known before it is loaded.
 */
export function useTimeline() {
  const queryClient = useQueryClient();
  const counts = useQuery(COUNTS);
  const days = useMemo(() => (counts.data ?? []).flatMap(listDays), [counts.data]);
  const pages = usePages<EntryRecord>({
    queryKey: PICTURES_KEY,
    fetchPage: (page, size, signal) => fetchPage(queryClient, page, size, signal),
  });
  const retry = () => {
    void counts.refetch();
    pages.retry();
  };
  return {
    days,
    source: { ...pages, total: days.reduce((sum, { count }) => sum + count, 0) },
    isPending: counts.isPending || pages.isPending,
    error: counts.data === undefined ? counts.error : pages.error,
    retry,
  };
}

async function fetchPage(
  queryClient: QueryClient,
  page: number,
  size: number,
  signal: AbortSignal | undefined,
): Promise<Page<EntryRecord>> {
  const query = { page, size };
  const [{ items }, months] = await Promise.all([
    ask('GET /api/v2/files/timeline', { query, signal }),
    queryClient.fetchQuery({ ...COUNTS, staleTime: COUNTED_MS }),
  ]);
  const total = months.flatMap(listDays).reduce((sum, { count }) => sum + count, 0);
  return { items, total, page, size };
}

function listDays({ month, days }: MonthCount): DayCount[] {
  return days.map(({ day, count }) => ({ day: `${month}-${String(day).padStart(2, '0')}`, count }));
}
