import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { DataOf, InputOf, Page } from '../../../../../client/src/client.ts';
import { ask } from '../../../api/ask.ts';
import { KEYS } from '../../../api/keys.ts';
import { filterOf, pageOf } from '../admin-search.ts';
import { useAdminSearch } from '../use-admin-search.ts';

const PAGE_SIZE = 20;
const LIVE_MS = 3_000;

type ListName =
  | 'audits'
  | 'drives'
  | 'file-blobs'
  | 'files'
  | 'folder-links'
  | 'invites'
  | 'shares'
  | 'tasks'
  | 'users';

type OperationOf<List extends ListName> = `GET /api/admin/${List}`;
type RowOf<List extends ListName> = DataOf<OperationOf<List>>['items'][number];

/**
 * The page of a list that the address selects. The previous page stays visible while the next one loads.
 *
 * @param isLive whether the content changes without user action, so that the page is polled
 */
export function usePage<List extends ListName>(
  list: List,
  filters: readonly string[],
  isLive: (page: Page<RowOf<List>>) => boolean = () => false,
) {
  const { search } = useAdminSearch();
  const query: Record<string, string | number> = { page: pageOf(search) - 1, size: PAGE_SIZE };
  for (const name of filters) {
    const value = filterOf(search, name);
    if (value !== '') query[name] = value;
  }
  return useQuery({
    queryKey: [...KEYS.admin(list), query],
    queryFn: ({ signal }) => readPage(list, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data !== undefined && isLive(state.data) ? LIVE_MS : false),
  });
}

async function readPage<List extends ListName>(
  list: List,
  query: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
): Promise<Page<RowOf<List>>> {
  // The filters come from the address, which may contain anything. The service checks them.
  const input = { query } as InputOf<OperationOf<ListName>>;
  const operation: OperationOf<ListName> = `GET /api/admin/${list}`;
  // The operation of a list returns rows of that list.
  return (await ask(operation, { ...input, signal })) as Page<RowOf<List>>;
}
