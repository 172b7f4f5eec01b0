import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Page, TimelineRecord } from '../../../../client/src/client.ts';
import { ask } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { useDrive } from '../../features/drives/use-drive.ts';
import { type MonthCount, monthsKey, picturesKey } from '../../features/entries/change/listed-entries.ts';
import { usePages } from '../../features/entries/use-pages.ts';
import type { PictureGroup } from '../../ui/pictures/picture-lines.ts';
import { type PhotoFilter, toQuery } from './photo-filter.ts';

/** How long the counts stay fresh. Pages that are fetched together share them. */
const COUNTED_MS = 2_000;

/** Whose pictures are shown, and which of them. */
interface Shown {
  readonly drive: DriveId;
  readonly filter: PhotoFilter;
}

function countsOf({ drive, filter }: Shown) {
  return queryOptions({
    queryKey: monthsKey(driveKey(drive), nameOf(filter)),
    queryFn: ({ signal }) =>
      ask('GET /api/v2/files/timeline/months', { query: toQuery(filter), drive, signal }),
  });
}

/**
 * The pictures and videos of the user, newest first. The counts of all days are loaded first, so that the
 * position of every part is known before it is loaded.
 */
export function useTimeline(filter: PhotoFilter) {
  const queryClient = useQueryClient();
  const { id: drive, key } = useDrive();
  const shown = { drive, filter };
  const counts = useQuery(countsOf(shown));
  const days = useMemo(() => (counts.data ?? []).flatMap(listDays), [counts.data]);
  const pages = usePages<TimelineRecord>({
    queryKey: picturesKey(key, nameOf(filter)),
    fetchPage: (page, size, signal) => fetchPage(queryClient, shown, { page, size }, signal),
  });
  const retry = () => {
    void counts.refetch();
    pages.retry();
  };
  return {
    days,
    source: { ...pages, total: countIn(counts.data ?? []) },
    isPending: counts.isPending || pages.isPending,
    error: counts.data === undefined ? counts.error : pages.error,
    retry,
  };
}

async function fetchPage(
  queryClient: QueryClient,
  shown: Shown,
  pages: { readonly page: number; readonly size: number },
  signal: AbortSignal | undefined,
): Promise<Page<TimelineRecord>> {
  const { drive, filter } = shown;
  const [{ items }, months] = await Promise.all([
    ask('GET /api/v2/files/timeline', { query: { ...toQuery(filter), ...pages }, drive, signal }),
    queryClient.fetchQuery({ ...countsOf(shown), staleTime: COUNTED_MS }),
  ]);
  return { items, total: countIn(months), ...pages };
}

function countIn(months: readonly MonthCount[]): number {
  return months.flatMap(({ days }) => days).reduce((sum, { count }) => sum + count, 0);
}

function listDays({ month, days }: MonthCount): PictureGroup[] {
  return days.map(({ day, count }) => ({ name: `${month}-${String(day).padStart(2, '0')}`, count }));
}

/** A part of keys. */
function nameOf(filter: PhotoFilter): string {
  return new URLSearchParams(
    Object.entries(toQuery(filter)).map(([name, value]) => [name, String(value)]),
  ).toString();
}
