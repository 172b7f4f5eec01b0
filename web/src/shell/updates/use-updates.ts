import { useEffect } from 'react';
import { hasServiceWorker, registerServiceWorker } from '../../common/service-worker.ts';
import { whenIdle } from '../../common/timing/lazy-module.ts';
import { offerNewVersion } from './new-version.ts';

const HOUR_MS = 60 * 60 * 1_000;

/**
 * Registers the service worker, which lets the client open without a connection. Also offers new versions of
 * the client. Never reloads a page without the user's consent.
 */
export function useUpdates(): void {
  useEffect(() => {
    if (!hasServiceWorker()) return;
    const end = new AbortController();
    let timer: ReturnType<typeof setInterval> | undefined;
    const start = async () => {
      if (end.signal.aborted) return;
      const registration = await registerServiceWorker();
      if (end.signal.aborted) return;
      const offer = () => {
        if (navigator.serviceWorker.controller === null) return;
        offerNewVersion({ registration });
      };
      if (registration.waiting !== null) offer();
      registration.addEventListener(
        'updatefound',
        () => {
          const { installing } = registration;
          installing?.addEventListener('statechange', () => {
            if (installing.state === 'installed') offer();
          });
        },
        { signal: end.signal },
      );
      // The service may be unreachable. Tries again in an hour.
      timer = setInterval(() => void registration.update().catch(() => undefined), HOUR_MS);
    };
    // Browsers may not allow service workers in private windows. The page works without them.
    whenIdle(() => void start().catch(() => undefined));
    return () => {
      end.abort();
      clearInterval(timer);
    };
  }, []);
}
