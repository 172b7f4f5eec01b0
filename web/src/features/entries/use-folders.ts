import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { KEYS } from '../../api/keys.ts';

const PAGE_SIZE = 200;

/**
 * The folders of a directory, a page at a time.
 * @param isWanted whether they are requested; otherwise there are only those that have been loaded before
 */
export function useFolders(path: string, isWanted = true) {
  const query = useInfiniteQuery({
    queryKey: [...KEYS.entries(path), 'folders'],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /api/files/list', {
        query: { path, page: pageParam, size: PAGE_SIZE },
        signal,
      }),
    initialPageParam: 0,
    enabled: isWanted,
    // Folders come first: after the first file there are no more.
    getNextPageParam: ({ items, page, size, total }) =>
      items.every((entry) => entry.directory) && (page + 1) * size < total ? page + 1 : undefined,
  });
  const folders = query.data?.pages.flatMap((page) => page.items.filter((entry) => entry.directory));
  return { ...query, folders };
}
