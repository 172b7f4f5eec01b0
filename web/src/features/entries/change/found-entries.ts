import type { QueryClient } from '@tanstack/react-query';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { KEYS } from '../../../api/keys.ts';

interface Found {
  readonly pages: readonly { readonly items: readonly EntryRecord[] }[];
}

/** Shows a changed entry in the results of searches in content, which are not refetched at once. */
export function updateFound(queryClient: QueryClient, changed: EntryRecord): void {
  const update = (entry: EntryRecord) => (entry.id === changed.id ? { ...entry, ...changed } : entry);
  queryClient.setQueriesData<Found>(
    { queryKey: KEYS.contentSearch() },
    (found) =>
      found && { ...found, pages: found.pages.map((page) => ({ ...page, items: page.items.map(update) })) },
  );
}
