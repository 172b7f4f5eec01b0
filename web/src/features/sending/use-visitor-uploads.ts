import { useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { newId } from '../../common/new-id.ts';
import { enterAgain } from '../shares/folder-links/use-folder-link.ts';
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
        send: async (file, place, watch) => {
          try {
            await sendToLink(file, { token, ...place, sender: sender() }, watch);
          } catch (error) {
            // The cookie of a link with a password is valid for an hour.
            if (!(error instanceof ApiError && error.status === 403 && (await enterAgain(token))))
              throw error;
            throw new ApiError(503, error.message, { cause: error, retryAfter: 1 });
          }
        },
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
