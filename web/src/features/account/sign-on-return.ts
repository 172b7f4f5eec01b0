import { useEffect, useState } from 'react';

/** What the service tells the page to which a login at the provider of single sign-on leads. */
export interface SignOnReturn {
  /** To be exchanged for a login state, once. */
  readonly ticket?: string;
  /** The name of a message. */
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

/** @param hash the fragment of the URL, with or without its sign */
export function readSignOnReturn(hash: string): SignOnReturn {
  const fragment = new URLSearchParams(hash.replace(/^#/, ''));
  const [ticket, error] = [fragment.get('ticket'), fragment.get('error')];
  return {
    ...(ticket === null ? {} : { ticket }),
    // A name of a later version is a failure, too.
    ...(error === null ? {} : { fault: FAULTS.find((name) => name === error) ?? 'failed' }),
    isLinked: fragment.get('linked') === 'true',
  };
}

/** What the fragment says. It is removed from the URL, so that a ticket is not kept in the history. */
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
