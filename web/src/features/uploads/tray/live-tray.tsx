import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { LazyModule, whenIdle } from '../../../common/timing/lazy-module.ts';
import type { UploadsView } from '../queue/upload-queue.ts';
import { startUploads, uploads } from '../uploads.ts';

const frame = new LazyModule(async () => ({ default: (await import('./tray-frame.tsx')).TrayFrame }));
const dialog = new LazyModule(async () => ({ default: (await import('./taken-dialog.tsx')).TakenDialog }));
const TrayFrame = lazy(frame.get);
const TakenDialog = lazy(dialog.get);

/** The tray, connected to the upload queue. */
export function LiveTray() {
  const queries = useQueryClient();
  const view = useUploads();
  const announcement = useAnnouncement(view);
  useEffect(() => {
    startUploads(queries);
    whenIdle(() => void frame.get());
  }, [queries]);
  const isNeeded = view.uploads.length > 0 || view.isReading || view.unreadable.count > 0;
  useEffect(() => {
    // Loaded in advance, so the dialog opens immediately when the service reports a conflict.
    if (isNeeded) void dialog.get();
  }, [isNeeded]);
  return (
    <>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      <Suspense>
        {isNeeded && <TrayFrame view={view} />}
        {view.totals.count.taken > 0 && <TakenDialog uploads={view.uploads} />}
      </Suspense>
    </>
  );
}

function useUploads(): UploadsView {
  return useSyncExternalStore(uploads.subscribe, uploads.view);
}

/** The text for screen readers: only the start and the result of uploads, no progress. */
function useAnnouncement({ totals, isReading, isServiceUnreachable, unreadable }: UploadsView): string {
  const { t } = useTranslation();
  const [announcement, announce] = useState('');
  const isActive = totals.moving > 0 || isReading;
  const wasActive = useRef(false);
  const { failed } = totals.count;
  const { alreadyHere } = totals;
  const done = totals.count.done - alreadyHere;
  useEffect(() => {
    if (isActive === wasActive.current) return;
    wasActive.current = isActive;
    if (isActive) announce(t('uploads.began'));
    else {
      const ended = [
        done > 0 && t('uploads.done', { count: done }),
        alreadyHere > 0 && t('uploads.alreadyHere', { count: alreadyHere }),
        failed > 0 && t('uploads.failed', { count: failed }),
        unreadable.count > 0 && t('uploads.unreadable', { count: unreadable.count }),
      ];
      announce(ended.filter((part) => part !== false).join(' '));
    }
  }, [t, isActive, done, alreadyHere, failed, unreadable.count]);
  useEffect(() => {
    if (isServiceUnreachable) announce(t('uploads.held'));
  }, [t, isServiceUnreachable]);
  return announcement;
}
