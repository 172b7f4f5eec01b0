import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasServiceWorker } from '../../common/service-worker.ts';
import { keepPush } from './push.ts';

/** Keeps push messages on, and opens what the user clicks in a notification of the system. */
export function PushWatch() {
  const { history } = useRouter();
  useEffect(() => {
    if (!hasServiceWorker()) return;
    // The next visit tries again.
    const keep = () => void keepPush().catch(() => undefined);
    const onMessage = ({ data, ports }: MessageEvent) => {
      if (data?.kind === 'push-changed') keep();
      if (data?.kind !== 'open' || typeof data.url !== 'string') return;
      // The service worker opens a new page if no page answers.
      ports[0]?.postMessage('opened');
      history.push(data.url);
    };
    navigator.serviceWorker.addEventListener('message', onMessage);
    keep();
    return () => navigator.serviceWorker.removeEventListener('message', onMessage);
  }, [history]);
  return null;
}
