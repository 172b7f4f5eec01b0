import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { renditionQuery } from '../entries/thumbnails/use-thumbnail.ts';
import { addressQuery } from './use-address.ts';
import { needsRendition, toPreviewKind } from './views/preview-kind.ts';

/** Larger pictures are not preloaded, because the user may never look at them. */
const MAX_BYTES = 16_000_000;

/** Preloads the pictures that will most likely be shown next. */
export function usePreload(entries: readonly (EntryRecord | undefined)[]): void {
  const queryClient = useQueryClient();
  const pictures = entries.filter(
    (entry) => entry !== undefined && toPreviewKind(entry) === 'picture' && entry.size <= MAX_BYTES,
  );
  const ids = pictures.map((entry) => entry?.id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new array with the same files changes nothing
  useEffect(() => {
    for (const entry of pictures) {
      if (entry === undefined) continue;
      if (needsRendition(entry)) {
        void queryClient.prefetchQuery(renditionQuery(entry));
        continue;
      }
      // An error is reported when the picture is shown.
      queryClient.fetchQuery(addressQuery(entry)).then(
        (url) => {
          new Image().src = url;
        },
        () => undefined,
      );
    }
  }, [queryClient, ids]);
}
