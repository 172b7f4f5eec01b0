import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AdminSearch, pageOf } from './admin-search.ts';

/** The page and filters of a list. They are in the address, so Back, reloads and links keep them. */
export function useAdminSearch() {
  const search = useSearch({ from: '/inside/admin/{-$part}' });
  const navigate = useNavigate({ from: '/admin/{-$part}' });
  const go = (changes: AdminSearch, options: { readonly replace: boolean; readonly resetScroll: boolean }) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), ...options });
  return {
    search,
    page: pageOf(search),
    setPage: (page: number) =>
      go({ page: page === 1 ? undefined : page }, { replace: false, resetScroll: true }),
    /** An empty filter is removed. Refining a filter replaces the history entry. */
    setFilter: (name: string, value: string) =>
      go(
        { [name]: value === '' ? undefined : value, page: undefined },
        { replace: search[name] !== undefined, resetScroll: false },
      ),
    clear: (names: readonly string[]) =>
      go(Object.fromEntries(['page', ...names].map((name) => [name, undefined])), {
        replace: false,
        resetScroll: false,
      }),
  };
}
