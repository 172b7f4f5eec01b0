import { lazy, Suspense, useEffect, useState } from 'react';
import { Later, whenIdle } from '../../../common/later.ts';

const LiveTray = lazy(new Later(async () => ({ default: (await import('./live-tray.tsx')).LiveTray })).get);

/**
 * The uploads, at the bottom of every page. It is loaded after the page, and then takes over uploads of the
 * last visit.
 */
export function UploadTray() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  useEffect(keepFilesFromOpening, []);
  return <Suspense>{isTime && <LiveTray />}</Suspense>;
}

/** Without this, a file that is dropped outside of a drop target would replace the page. */
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
