import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { PublicFolderLink } from '../../../../client/src/client.ts';
import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { errorOf } from '../../../../client/src/errors/read-error.ts';
import { readStored, writeStored } from '../../api/stored.ts';
import { newId } from '../../common/new-id.ts';
import { enterAgain, needsPassword } from '../shares/folder-links/use-folder-link.ts';
import { findInterrupted, type Interrupted, sendToLink } from './send-to-link.ts';
import { PasswordMissing, type SentFile, type SentView, VisitorUploads } from './visitor-uploads.ts';

const SENDER_KEY = 'holdall.sender';
/** The minimum interval between two views, because each goes through all files. */
const VIEW_MS = 150;

/** The uploads of a visitor to one link, and the name that the visitor has entered. */
export interface Sending {
  readonly uploads: VisitorUploads;
  readonly sender: RefObject<string>;
}

/**
 * The uploads of a visitor to one link. They belong to the page, not to its content, because the owner may
 * change what visitors see while files are being sent. They stop when the visitor leaves the page, and the
 * browser asks first.
 * @param link its current state, if known
 * @param onChange called when the link must be read again: after files were sent, or when its password is
 * missing
 */
export function useSending(
  token: string,
  link: PublicFolderLink | undefined,
  onChange: () => Promise<void>,
): Sending {
  const sender = useRef(readStored(SENDER_KEY) ?? '');
  const present = useRef({ link, onChange });
  present.current = { link, onChange };
  const [uploads] = useState(
    () =>
      new VisitorUploads({
        send: async (file, place, watch) => {
          // Not sent without the password: an upload that the service rejects would start over.
          if (present.current.link?.passwordVerified === false) throw new PasswordMissing();
          const takesPaths = present.current.link?.mode === 'BOTH';
          const target = { token, ...place, takesPaths, sender: sender.current.trim() };
          try {
            await sendToLink(file, target, watch);
          } catch (error) {
            if (!(error instanceof HoldallError && error.status === 403)) throw error;
            // The cookie of a link with a password is valid for an hour.
            if (await enterAgain(token))
              throw errorOf(503, error.message, { cause: error, retryAfterSeconds: 1 });
            if (!(await needsPassword(token))) throw error;
            await present.current.onChange();
            throw new PasswordMissing('The password of the link is missing.', { cause: error });
          }
        },
        onIdle: () => void present.current.onChange(),
        newId,
        showLater: (show) => setTimeout(show, VIEW_MS),
      }),
  );
  useEffect(() => () => uploads.stop(), [uploads]);
  useEffect(() => {
    const resumeDelayed = () => uploads.resumeDelayed();
    window.addEventListener('online', resumeDelayed);
    return () => window.removeEventListener('online', resumeDelayed);
  }, [uploads]);
  const isOpen = link?.passwordVerified === true;
  useEffect(() => {
    if (isOpen) uploads.resumeDelayed();
  }, [uploads, isOpen]);
  return { uploads, sender };
}

/** Stores the name of the visitor for the next visit. */
export function storeSender(name: string): void {
  writeStored(SENDER_KEY, name);
}

/** The view of the uploads that the page shows. */
export function useSentView(uploads: VisitorUploads): SentView {
  const view = useSyncExternalStore(uploads.subscribe, uploads.view);
  const { isBusy } = view;
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isBusy]);
  return view;
}

/** The uploads of earlier visits that have not ended and were not chosen again. */
export function useInterrupted(token: string, files: readonly SentFile[]): readonly Interrupted[] {
  const [found, setFound] = useState<readonly Interrupted[]>([]);
  useEffect(() => {
    findInterrupted(token).then(setFound, () => undefined);
  }, [token]);
  if (found.length === 0) return found;
  const chosen = new Set(files.map(({ name }) => name));
  return found.filter(({ metadata }) => !chosen.has(metadata.filename ?? ''));
}
