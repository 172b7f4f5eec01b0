import { useEffect, useState } from 'react';

/** The result of a login with the provider. The service passes it to the page in the URL fragment. */
interface SignOnReturn {
  /** Exchanged once for a login state. */
  readonly ticket?: string;
  /** A message key. */
  readonly fault?: SignOnFault;
  readonly isLinked: boolean;
}

const FAULTS = [
  'expired',
  'failed',
  'denied',
  'no-account',
  'banned',
  'taken',
  'too-many-identities',
  'unavailable',
  'too-many',
] as const;

export type SignOnFault = (typeof FAULTS)[number];

/** @param hash the fragment of the URL, with or without the `#` */
export function readSignOnReturn(hash: string): SignOnReturn {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const [ticket, error] = [fragment.get('ticket'), fragment.get('error')];
  return {
    ...(ticket === null ? {} : { ticket }),
    // A newer version of the service may send a name that this page does not know.
    ...(error === null ? {} : { fault: FAULTS.find((name) => name === error) ?? 'failed' }),
    isLinked: fragment.get('linked') === 'true',
  };
}

/** Reads the fragment and removes it from the URL, so that no ticket stays in the browser history. */
export function useSignOnReturn(): SignOnReturn {
  const [returned] = useState(() => readSignOnReturn(window.location.hash));
  const { ticket, fault, isLinked } = returned;
  const hasResult = ticket !== undefined || fault !== undefined || isLinked;
  useEffect(() => {
    const { pathname, search } = window.location;
    if (hasResult) window.history.replaceState(window.history.state, '', pathname + search);
  }, [hasResult]);
  return returned;
}
