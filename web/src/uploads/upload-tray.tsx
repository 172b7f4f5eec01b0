import { VisuallyHidden } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect } from 'react';
import { startUploads } from './uploads.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useUploads } from './use-uploads.ts';

const TrayFrame = lazy(async () => ({ default: (await import('./tray-frame.tsx')).TrayFrame }));
const TakenDialog = lazy(async () => ({ default: (await import('./taken-dialog.tsx')).TakenDialog }));

/** What is being uploaded, at the foot of every page. */
export function UploadTray() {
  const queries = useQueryClient();
  const view = useUploads();
  const announcement = useAnnouncement(view);
  useEffect(() => startUploads(queries), [queries]);
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
