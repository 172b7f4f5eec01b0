import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import type { EntryRecord } from '../../../../../client/src/client.ts';
import { UnsupportedError } from '../../../../../client/src/errors/errors.ts';
import { open } from '../../../api/ask.ts';
import { useObjectUrl } from '../../../ui/use-object-url.ts';
import { RENDITION_SIZE, type ThumbnailSize, thumbnailSizeFor } from './thumbnail-size.ts';

/** While scrolling fast, nothing is loaded. */
const DWELL_MS = 120;

/** How long thumbnails that no element shows stay in memory. After that, the browser's cache has them. */
const KEPT_MS = 60_000;

type Pictured = Pick<EntryRecord, 'id' | 'thumbnailVersion'>;

/**
 * The thumbnail of a file: an address for an image element once it is loaded, undefined until then, and if
 * there is none. It needs a login, and an image element cannot send a token.
 *
 * @returns `ref`, for the element whose size and screen decide which thumbnail is loaded
 */
export function useThumbnail({ id, thumbnailVersion }: Pictured) {
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
      // A thumbnail that is larger than needed is not loaded again in a smaller size.
      setSize((now) => (now === undefined || wanted > now ? wanted : now));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const { data } = useQuery({
    queryKey: ['thumbnail', id, thumbnailVersion, size],
    queryFn: ({ signal }) => fetchThumbnail(id, thumbnailVersion ?? '', size ?? 256, signal),
    enabled: isLookedAt && size !== undefined && thumbnailVersion !== null,
    // The version is in the key, so it never changes, not even when everything is refreshed.
    staleTime: 'static',
    gcTime: KEPT_MS,
    // The small one stays until the large one has come.
    placeholderData: (shown, query) =>
      query?.queryKey[1] === id && query.queryKey[2] === thumbnailVersion ? shown : undefined,
  });
  return { ref, address: useObjectUrl(data) };
}

/** A large picture of a file that the browser cannot show itself; null if there is none. */
export function renditionQuery({ id, thumbnailVersion }: Pictured) {
  return queryOptions({
    queryKey: ['thumbnail', id, thumbnailVersion, RENDITION_SIZE],
    queryFn: ({ signal }) => fetchThumbnail(id, thumbnailVersion ?? '', RENDITION_SIZE, signal),
    enabled: thumbnailVersion !== null,
    staleTime: 'static',
    gcTime: KEPT_MS,
  });
}

/** Null if the file has no thumbnail. @throws HoldallError */
async function fetchThumbnail(
  id: number,
  version: string,
  size: ThumbnailSize,
  signal: AbortSignal,
): Promise<Blob | null> {
  // Lists and what people do go first. A rendition is what somebody looks at.
  const priority = size === RENDITION_SIZE ? 'auto' : 'low';
  const call = { path: { fileId: id }, query: { size, v: version }, signal, priority } as const;
  try {
    return await (await open('GET /api/v2/files/{fileId}/thumbnail', call)).blob();
  } catch (error) {
    if (error instanceof UnsupportedError) return null;
    throw error;
  }
}
