import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The token of a mailed link, from the URL fragment; undefined if there is none. It is removed from the URL,
 * so that it does not stay in the browser history.
 */
export function useLinkToken(): string | undefined {
  const hash = useLocation({ select: (location) => location.hash });
  const [token, setToken] = useState(() => readFragment(hash, 'token'));
  useEffect(() => {
    // The page stays the same when another link to it is opened in its tab.
    const found = readFragment(hash, 'token');
    if (found === undefined) return;
    setToken(found);
    removeFragment();
  }, [hash]);
  return token;
}

/** Removes the fragment from the address of the page, and so from the browser history. */
export function removeFragment(): void {
  const { pathname, search } = window.location;
  window.history.replaceState(window.history.state, '', pathname + search);
}

/** A value in the fragment of a mailed link, such as `token=…`; undefined if it is missing or empty. */
export function readFragment(hash: string, name: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, '')).get(name) || undefined;
}
