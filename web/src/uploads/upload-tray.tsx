import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { resumable } from './http-upload-service.ts';
import { Later, whenIdle } from './later.ts';
import { startUploads } from './uploads.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useUploads } from './use-uploads.ts';

const frame = new Later(async () => ({ default: (await import('./tray-frame.tsx')).TrayFrame }));
const dialog = new Later(async () => ({ default: (await import('./taken-dialog.tsx')).TakenDialog }));
const TrayFrame = lazy(frame.get);
const TakenDialog = lazy(dialog.get);

/** What is being uploaded, at the foot of every page. */
export function UploadTray() {
  const queries = useQueryClient();
  const view = useUploads();
  const announcement = useAnnouncement(view);
  useEffect(() => {
    startUploads(queries);
    whenIdle(() => void Promise.all([frame.get(), dialog.get(), resumable.get()]));
  }, [queries]);
  useEffect(keepFilesFromOpening, []);
  const isNeeded = view.uploads.length > 0 || view.isReading;
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

/** A file that is dropped where nothing takes it would be shown in place of the page. */
function keepFilesFromOpening(): () => void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
  return () => {
    window.removeEventListener('dragover', refuse);
    window.removeEventListener('drop', refuse);
  };
}
