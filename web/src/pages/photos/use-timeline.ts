import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EntryRecord, Page } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { type MonthCount, monthsKey, picturesKey } from '../../features/entries/change/listed-entries.ts';
import { usePages } from '../../features/entries/use-pages.ts';
import type { DayCount } from './day-lines.ts';

/** How long the counts stay fresh. Pages that are fetched together share them. */
const COUNTED_MS = 2_000;

function countsOf(drive: DriveId) {
  return queryOptions({
    queryKey: monthsKey(driveKey(drive)),
    queryFn: ({ signal }) => ask('GET /api/v2/files/timeline/months', { drive, signal }),
  });
}

/**
 * The pictures and videos of the user, newest first. The counts of all days are loaded first, so that the
 * position of every part is known before it is loaded.
 */
export function useTimeline() {
  const queryClient = useQueryClient();
  const { id: drive, key } = useDrive();
  const counts = useQuery(countsOf(drive));
  const days = useMemo(() => (counts.data ?? []).flatMap(listDays), [counts.data]);
  const pages = usePages<EntryRecord>({
    queryKey: picturesKey(key),
    fetchPage: (page, size, signal) => fetchPage(queryClient, drive, { page, size }, signal),
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
  drive: DriveId,
  query: { readonly page: number; readonly size: number },
  signal: AbortSignal | undefined,
): Promise<Page<EntryRecord>> {
  const [{ items }, months] = await Promise.all([
    ask('GET /api/v2/files/timeline', { query, drive, signal }),
    queryClient.fetchQuery({ ...countsOf(drive), staleTime: COUNTED_MS }),
  ]);
  const total = months.flatMap(listDays).reduce((sum, { count }) => sum + count, 0);
  return { items, total, ...query };
}

function listDays({ month, days }: MonthCount): DayCount[] {
  return days.map(({ day, count }) => ({ day: `${month}-${String(day).padStart(2, '0')}`, count }));
}
