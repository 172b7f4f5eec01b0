import type { QueryClient } from '@tanstack/react-query';
import type { EntryRecord, Page } from '../../../api/contract.ts';
import { KEYS } from '../../../api/keys.ts';

/** Refetches everything that may show a changed entry; the present content stays visible meanwhile. */
export async function renewLists(queryClient: QueryClient): Promise<void> {
  const keys = [
    KEYS.entries(),
    KEYS.recent(),
    KEYS.timeline(),
    KEYS.starred(),
    KEYS.search(),
    KEYS.bin(),
    KEYS.profile(),
  ];
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

/** Updates the cached lists of a directory before the service has answered. */
export function editListed(
  queryClient: QueryClient,
  directory: string,
  edit: (entry: EntryRecord) => EntryRecord,
): void {
  queryClient.setQueriesData({ queryKey: KEYS.entries(directory) }, (page: unknown) =>
    isPage(page) ? { ...page, items: page.items.map(edit) } : page,
  );
}

/** Removes entries from the cached lists of their directories. */
export function dropListed(queryClient: QueryClient, gone: readonly EntryRecord[]): void {
  for (const directory of new Set(gone.map((entry) => entry.parentPath))) {
    dropFrom(queryClient, KEYS.entries(directory), gone);
  }
}

/**
 * Removes entries from a list. In a list of several pages the rest would have to move up, so it is refetched.
 */
export function dropFrom(
  queryClient: QueryClient,
  queryKey: readonly unknown[],
  gone: readonly { readonly id: number }[],
): void {
  const ids = new Set(gone.map((entry) => entry.id));
  queryClient.setQueriesData({ queryKey }, (page: unknown) => {
    if (!isPage(page) || page.total > page.items.length) return page;
    const items = page.items.filter((entry) => !ids.has(entry.id));
    return { ...page, items, total: items.length };
  });
}

/** Other shapes may be cached under the same first segments, such as the levels of a folder picker. */
function isPage(value: unknown): value is Page<EntryRecord> {
  return typeof value === 'object' && value !== null && 'items' in value && 'total' in value;
}
