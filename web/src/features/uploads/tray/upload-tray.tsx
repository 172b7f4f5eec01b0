import { lazy, Suspense, useEffect, useState } from 'react';
import { Later, whenIdle } from '../../../common/later.ts';

const LiveTray = lazy(new Later(async () => ({ default: (await import('./live-tray.tsx')).LiveTray })).get);

/** What is being uploaded, at the foot of every page. The page comes first, and then what is left of the last visit. */
export function UploadTray() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  useEffect(keepFilesFromOpening, []);
  return <Suspense>{isTime && <LiveTray />}</Suspense>;
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
