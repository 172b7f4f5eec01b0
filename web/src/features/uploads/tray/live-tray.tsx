import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { Later, whenIdle } from '../../../common/later.ts';
import { startUploads } from '../uploads.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useUploads } from './use-uploads.ts';

const frame = new Later(async () => ({ default: (await import('./tray-frame.tsx')).TrayFrame }));
const dialog = new Later(async () => ({ default: (await import('./taken-dialog.tsx')).TakenDialog }));
const TrayFrame = lazy(frame.get);
const TakenDialog = lazy(dialog.get);

/** The tray, with the queue that it shows. */
export function LiveTray() {
  const queries = useQueryClient();
  const view = useUploads();
  const announcement = useAnnouncement(view);
  useEffect(() => {
    startUploads(queries);
    whenIdle(() => void frame.get());
  }, [queries]);
  const isNeeded = view.uploads.length > 0 || view.isReading;
  useEffect(() => {
    // A name is taken when the service says so, so there is a line then; but nobody should wait for the question.
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
