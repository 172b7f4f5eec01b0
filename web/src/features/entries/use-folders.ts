import { useInfiniteQuery } from '@tanstack/react-query';
import { ask } from '../../api/ask.ts';
import { type DriveId, driveKey } from '../../api/in-drive.ts';
import { KEYS } from '../../api/keys.ts';

const PAGE_SIZE = 200;

/**
 * The folders of a directory, loaded one page at a time.
 * @param drive the drive of the directory
 * @param isWanted whether to request the folders; otherwise only cached ones are returned
 */
export function useFolders(drive: DriveId, path: string, isWanted = true) {
  const query = useInfiniteQuery({
    queryKey: [...KEYS.entries(path, driveKey(drive)), 'folders'],
    queryFn: ({ pageParam, signal }) =>
      ask('GET /api/files/list', {
        query: { path, page: pageParam, size: PAGE_SIZE },
        drive,
        signal,
      }),
    initialPageParam: 0,
    enabled: isWanted,
    // Folders come first, so there are no more after the first file.
    getNextPageParam: ({ items, page, size, total }) =>
      items.every((entry) => entry.directory) && (page + 1) * size < total ? page + 1 : undefined,
  });
  const folders = query.data?.pages.flatMap((page) => page.items.filter((entry) => entry.directory));
  return { ...query, folders };
}
