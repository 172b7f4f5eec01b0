import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { EntryRecord } from '../../api/contract.ts';
import { KEYS } from '../../api/keys.ts';
import { getSignedAddress } from '../entries/signed-address.ts';

/** An address is good for five minutes. The clocks of the service and of this machine may differ: they are not compared. */
const FRESH_MS = 3 * 60_000;

/** Renewed once at a time: what fails with an address that is so new fails for another reason. */
const NEW_MS = 10_000;

interface Address {
  readonly url: string | undefined;
  /** Counts the addresses: one that was signed in the same second is the same, and is to be tried all the same. */
  readonly round: number;
  readonly error: unknown;
  /** Asks for another one, unless this one is new. Says whether it did. */
  readonly renew: () => boolean;
}

export function addressQuery({ id }: Pick<EntryRecord, 'id'>) {
  return { queryKey: KEYS.address(id), queryFn: () => getSignedAddress({ id }), staleTime: FRESH_MS };
}

/**
 * Where to get what is shown. It stays the same for as long as it works, whatever is asked anew meanwhile: another address
 * would begin a film from its beginning.
 */
export function useAddress({ id }: Pick<EntryRecord, 'id'>): Address {
  const queryClient = useQueryClient();
  const [{ url, round }, setFound] = useState<{ url?: string; round: number }>({ round: 0 });
  const [error, setError] = useState<unknown>();
  const renewedAt = useRef(0);
  const load = useCallback(
    async (isStillWanted: () => boolean) => {
      try {
        const found = await queryClient.fetchQuery(addressQuery({ id }));
        if (isStillWanted()) setFound((before) => ({ url: found, round: before.round + 1 }));
      } catch (failure) {
        if (isStillWanted()) setError(failure);
      }
    },
    [queryClient, id],
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
