import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { UnsupportedError } from '../../../../../client/src/errors/errors.ts';
import { open } from '../../../api/ask.ts';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { RENDITION_SIZE, type ThumbnailSize, thumbnailSizeFor } from './thumbnail-size.ts';

/** A thumbnail is loaded once it has been visible this long, so not during fast scrolling. */
const DWELL_MS = 120;

/** How long hidden thumbnails stay in memory. After that, the browser's cache still has them. */
const KEPT_MS = 60_000;

type Pictured = Pick<EntryRecord, 'id' | 'driveId' | 'thumbnailVersion'>;

/**
 * Loads the thumbnail of a file and returns a URL for an image element; undefined until then, or if there is
 * no thumbnail. An image element could not load it itself, because it cannot send a token.
 *
 * @returns `ref` for the element; its size and screen determine which thumbnail is loaded. `isMissing` if the
 *   thumbnail could not be loaded.
 */
export function useThumbnail({ id, driveId, thumbnailVersion }: Pictured) {
  const [size, setSize] = useState<ThumbnailSize>();
  const [isLookedAt, setLookedAt] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLookedAt(true), DWELL_MS);
    return () => clearTimeout(timer);
  }, []);
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width, height } = entry.contentRect;
      const wanted = thumbnailSizeFor(width, height, window.devicePixelRatio);
      // If a larger thumbnail is already loaded, a smaller one is not requested.
      setSize((now) => (now === undefined || wanted > now ? wanted : now));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { data, isError } = useQuery({
    queryKey: ['thumbnail', id, thumbnailVersion, size],
    queryFn: ({ signal }) => fetchThumbnail({ id, driveId }, thumbnailVersion ?? '', size ?? 256, signal),
    enabled: isLookedAt && size !== undefined && thumbnailVersion !== null,
    // The key contains the version, so the data never changes, even when everything is refetched.
    staleTime: 'static',
    gcTime: KEPT_MS,
    // The small thumbnail is shown until the large one has loaded.
    placeholderData: (shown, query) =>
      query?.queryKey[1] === id && query.queryKey[2] === thumbnailVersion ? shown : undefined,
  });
  return { ref, address: useObjectUrl(data), isMissing: data === null || isError };
}

/** A large picture of a file that the browser cannot show itself; null if there is none. */
export function renditionQuery({ id, driveId, thumbnailVersion }: Pictured) {
  return queryOptions({
    queryKey: ['thumbnail', id, thumbnailVersion, RENDITION_SIZE],
    queryFn: ({ signal }) => fetchThumbnail({ id, driveId }, thumbnailVersion ?? '', RENDITION_SIZE, signal),
    enabled: thumbnailVersion !== null,
    staleTime: 'static',
    gcTime: KEPT_MS,
  });
}

/** Null if the file has no thumbnail. @throws HoldallError */
async function fetchThumbnail(
  { id, driveId: drive }: Pick<EntryRecord, 'id' | 'driveId'>,
  version: string,
  size: ThumbnailSize,
  signal: AbortSignal,
): Promise<Blob | null> {
  // Thumbnails must not delay lists and user actions. A rendition is what the user is looking at.
  const priority = size === RENDITION_SIZE ? 'auto' : 'low';
  const call = { path: { fileId: id }, query: { size, v: version }, drive, signal, priority } as const;
  try {
    return await (await open('GET /api/v2/files/{fileId}/thumbnail', call)).blob();
  } catch (error) {
    if (error instanceof UnsupportedError) return null;
    throw error;
  }
}
