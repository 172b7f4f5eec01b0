import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import { addressQuery } from './use-address.ts';
import { wayToShow } from './views/way-to-show.ts';

/** More than that is not loaded for somebody who may never look at it. */
const MOST_BYTES = 16_000_000;

/** Loads the pictures that will most likely be looked at next. */
export function usePreload(entries: readonly (EntryRecord | undefined)[]): void {
  const queryClient = useQueryClient();
  const pictures = entries.filter(
    (entry) => entry !== undefined && wayToShow(entry) === 'picture' && entry.size <= MOST_BYTES,
  );
  const ids = pictures.map((entry) => entry?.id).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same files, whatever list they come in
  useEffect(() => {
    for (const entry of pictures) {
      if (entry === undefined) continue;
      // What fails here is told of when it is looked at.
      queryClient.fetchQuery(addressQuery(entry)).then(
        (url) => {
          new Image().src = url;
        },
        () => undefined,
      );
    }
  }, [queryClient, ids]);
}
