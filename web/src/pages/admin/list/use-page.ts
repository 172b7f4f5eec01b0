import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ask } from '../../../api/ask.ts';
import type { Page } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';
import { filterOf, pageOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

const PAGE_SIZE = 20;
const LIVE_MS = 3_000;

/**
 * The page of a list that the address selects. While the next one loads, the last one stays visible.
 *
 * @param isLive whether the content of the page changes by itself
 */
export function usePage<T>(
  list: string,
  filters: readonly string[],
  isLive: (page: Page<T>) => boolean = () => false,
) {
  const { search } = useAdminSearch();
  const query: Record<string, string | number> = { page: pageOf(search) - 1, size: PAGE_SIZE };
  for (const name of filters) {
    const value = filterOf(search, name);
    if (value !== '') query[name] = value;
  }
  return useQuery({
    queryKey: [...KEYS.admin(list), query],
    queryFn: ({ signal }) => ask<Page<T>>('GET', `/api/admin/${list}`, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data !== undefined && isLive(state.data) ? LIVE_MS : false),
  });
}
