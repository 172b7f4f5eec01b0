import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Page } from '../../../../client/src/client.ts';
import type { EntrySource, LoadedEntry, Viewer } from './entry-source.ts';

/** The number of entries per request. */
const PAGE_SIZE = 200;
/** The number of entries per request when collecting all: the maximum that the service returns. */
const COLLECT_SIZE = 1_000;
/** How many entries beyond the visible ones are loaded in advance. */
const AHEAD = 40;
/** The interval at which the position is checked during fast scrolling. */
const LOOK_MS = 100;

interface PagesOptions<T> {
  /** The key of each page ends with its number. */
  readonly queryKey: readonly unknown[];
  readonly fetchPage: (page: number, size: number, signal?: AbortSignal) => Promise<Page<T>>;
}

export interface Pages<T> extends EntrySource<T> {
  /** Whether nothing is loaded yet. */
  readonly isPending: boolean;
  /** The error that prevents the visible part from being shown. */
  readonly error: unknown;
  readonly retry: () => void;
}

/** A long list that loads only its visible pages. Pages stay visible while they are refetched. */
export function usePages<T extends { readonly id: number }>({
  queryKey,
  fetchPage,
}: PagesOptions<T>): Pages<T> {
  const queryClient = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>({ list: { first: 0, last: 0 }, preview: NOTHING });
  const numbers = listNumbers(wanted);
  const results = useQueries({
    queries: numbers.map((number) => ({
      queryKey: [...queryKey, number],
      queryFn: ({ signal }: { signal: AbortSignal }) => fetchPage(number, PAGE_SIZE, signal),
    })),
  });

  const newest = results
    .filter(({ data }) => data !== undefined)
    .toSorted((a, b) => b.dataUpdatedAt - a.dataUpdatedAt)[0]?.data;
  // The previous total is shown while further pages load.
  const name = JSON.stringify(queryKey);
  const before = useRef({ name, total: undefined as number | undefined });
  if (before.current.name !== name) before.current = { name, total: undefined };
  if (newest !== undefined) before.current.total = newest.total;
  const total = before.current.total;

  const pageOf = (number: number) => queryClient.getQueryData<Page<T>>([...queryKey, number]);
  const lastPage = Math.max(0, Math.ceil((total ?? 0) / PAGE_SIZE) - 1);
  const look = useLook(wanted, setWanted, (number) => pageOf(Math.min(number, lastPage)) !== undefined);
  const failed = results.find(({ error, data }) => error !== null && data === undefined);

  return {
    total: total ?? 0,
    isPending: total === undefined && failed === undefined,
    error: failed?.error ?? null,
    retry: () => {
      for (const { error, refetch } of results) if (error !== null) void refetch();
    },
    at: (index) => pageOf(Math.floor(index / PAGE_SIZE))?.items[index % PAGE_SIZE],
    look: (from, to, viewer = 'list') => {
      const first = Math.max(0, Math.floor((from - AHEAD) / PAGE_SIZE));
      const last = Math.max(first, Math.min(lastPage, Math.floor((to + AHEAD) / PAGE_SIZE)));
      look(viewer, to < from ? NOTHING : { first, last });
    },
    indexOf: (id) => {
      for (let number = 0; number <= lastPage; number++) {
        const place = pageOf(number)?.items.findIndex((entry) => entry.id === id) ?? -1;
        if (place >= 0) return number * PAGE_SIZE + place;
      }
      return undefined;
    },
    loaded: (from, to) => listLoaded(from, to, (number) => pageOf(number)?.items),
    collect: (from, to, signal) => collect(from, to, (page, size) => fetchPage(page, size, signal)),
    whole: total !== undefined && total <= PAGE_SIZE ? pageOf(0)?.items : undefined,
  };
}

/** The pages from the first to the last one. */
interface PageRange {
  readonly first: number;
  readonly last: number;
}

type Wanted = Readonly<Record<Viewer, PageRange>>;

const NOTHING: PageRange = { first: 0, last: -1 };

function numbersOf({ first, last }: PageRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, step) => first + step);
}

/** Removes duplicates, because the ranges of the viewers may overlap. */
function listNumbers({ list, preview }: Wanted): number[] {
  return [...new Set([...numbersOf(list), ...numbersOf(preview)])];
}

/** Reports immediately if everything is loaded. Otherwise it is throttled to protect the service. */
function useLook(wanted: Wanted, setWanted: (wanted: Wanted) => void, isLoaded: (page: number) => boolean) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const next = useRef(wanted);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = useCallback(() => {
    timer.current = undefined;
    setWanted(next.current);
  }, [setWanted]);
  return (viewer: Viewer, range: PageRange) => {
    const before = next.current[viewer];
    if (range.first === before.first && range.last === before.last) return;
    next.current = { ...next.current, [viewer]: range };
    if (numbersOf(range).every(isLoaded)) take();
    else timer.current ??= setTimeout(take, LOOK_MS);
  };
}

function listLoaded<T>(
  from: number,
  to: number,
  itemsOf: (page: number) => readonly T[] | undefined,
): readonly LoadedEntry<T>[] {
  const loaded: LoadedEntry<T>[] = [];
  for (let page = Math.floor(from / PAGE_SIZE); page * PAGE_SIZE <= to; page++) {
    for (const [place, entry] of (itemsOf(page) ?? []).entries()) {
      const index = page * PAGE_SIZE + place;
      if (index >= from && index <= to) loaded.push({ index, entry });
    }
  }
  return loaded;
}

async function collect<T>(
  from: number,
  to: number,
  fetchPage: PagesOptions<T>['fetchPage'],
): Promise<readonly T[]> {
  const entries: T[] = [];
  const first = Math.floor(from / COLLECT_SIZE);
  for (let number = first; number * COLLECT_SIZE <= to; number++) {
    const { items, total } = await fetchPage(number, COLLECT_SIZE);
    entries.push(...items);
    if ((number + 1) * COLLECT_SIZE >= total) break;
  }
  const start = first * COLLECT_SIZE;
  return entries.slice(from - start, to + 1 - start);
}
