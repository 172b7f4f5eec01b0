import { Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../../../common/timing/later.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';

const LiveTray = lazyPart(async () => (await import('./live-tray.tsx')).LiveTray);

/**
 * The uploads, at the bottom of every page. It is loaded after the page, and then takes over uploads of the
 * last visit.
 */
export function UploadTray() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  useEffect(preventFileNavigation, []);
  return <Suspense>{isTime && <LiveTray />}</Suspense>;
}

/** Without this, a file that is dropped outside of a drop target would replace the page. */
function preventFileNavigation(): () => void {
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
