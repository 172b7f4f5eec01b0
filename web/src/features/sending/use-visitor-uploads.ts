import { useEffect, useState, useSyncExternalStore } from 'react';
import { newId } from '../../common/new-id.ts';
import { findInterrupted, type Interrupted, sendToLink } from './send-to-link.ts';
import { isOnItsWay, type SentFile, VisitorUploads } from './visitor-uploads.ts';

/**
 * The uploads of a visitor to one link. They stop when its page is left; the browser asks before.
 * @param sender returns the present name of the visitor
 * @param onIdle called after files were sent
 */
export function useVisitorUploads(token: string, sender: () => string, onIdle: () => void) {
  const [uploads] = useState(
    () =>
      new VisitorUploads({
        send: (file, path, watch) => sendToLink(file, { token, path, sender: sender() }, watch),
        onIdle,
        newId,
      }),
  );
  const files = useSyncExternalStore(uploads.subscribe, uploads.view);
  const isBusy = files.some(isOnItsWay);
  useEffect(() => () => uploads.stop(), [uploads]);
  useEffect(() => {
    const goOn = () => uploads.goOn();
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  }, [uploads]);
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isBusy]);
  return { uploads, files, isBusy, interrupted: useInterrupted(token, files) };
}

/** The uploads of earlier visits that have not ended and were not chosen again. */
function useInterrupted(token: string, files: readonly SentFile[]): readonly Interrupted[] {
  const [found, setFound] = useState<readonly Interrupted[]>([]);
  useEffect(() => {
    findInterrupted(token).then(setFound, () => undefined);
  }, [token]);
  const chosen = new Set(files.map(({ name }) => name));
  return found.filter(({ metadata }) => !chosen.has(metadata.filename ?? ''));
}
