import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../../../client/src/client.ts';
import { KEYS } from '../../api/keys.ts';
import { getSignedAddress } from '../entries/signed-address.ts';

/**
 * A URL is valid for five minutes. The clocks of service and browser may differ, so expiry is not compared.
 */
const FRESH_MS = 3 * 60_000;

/** If a URL younger than this fails, it has not expired, so renewing it would not help. */
const NEW_MS = 10_000;

interface Address {
  readonly url: string | undefined;
  /** Counts the URLs. A URL signed in the same second is identical, but must still be tried again. */
  readonly round: number;
  readonly error: unknown;
  /** Requests another URL, unless the current one is new. Returns whether it did. */
  readonly renew: () => boolean;
}

type Located = Pick<EntryRecord, 'id' | 'driveId'>;

export function addressQuery({ id, driveId }: Located) {
  const queryFn = () => getSignedAddress({ id, driveId });
  return { queryKey: KEYS.address(id), queryFn, staleTime: FRESH_MS };
}

/**
 * The URL of the shown file. It stays the same as long as it works, even if other data is refetched, because
 * a new URL would restart a video.
 */
export function useAddress({ id, driveId }: Located): Address {
  const queryClient = useQueryClient();
  const [{ url, round }, setFound] = useState<{ url?: string; round: number }>({ round: 0 });
  const [error, setError] = useState<unknown>();
  const renewedAt = useRef(0);
  const load = useCallback(
    async (isStillWanted: () => boolean) => {
      try {
        const found = await queryClient.fetchQuery(addressQuery({ id, driveId }));
        if (isStillWanted()) setFound((before) => ({ url: found, round: before.round + 1 }));
      } catch (failure) {
        if (isStillWanted()) setError(failure);
      }
    },
    [queryClient, id, driveId],
  );
  useEffect(() => {
    let isWanted = true;
    void load(() => isWanted);
    return () => {
      isWanted = false;
    };
  }, [load]);
  const renew = () => {
    if (Date.now() - renewedAt.current < NEW_MS) return false;
    renewedAt.current = Date.now();
    queryClient.removeQueries({ queryKey: KEYS.address(id) });
    void load(() => true);
    return true;
  };
  return { url, round, error, renew };
}
