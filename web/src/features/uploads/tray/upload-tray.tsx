import { Suspense, useEffect, useState } from 'react';
import { whenIdle } from '../../../common/timing/lazy-module.ts';
import { lazyPart } from '../../../common/timing/lazy-part.ts';

const LiveTray = lazyPart(async () => (await import('./live-tray.tsx')).LiveTray);

/**
 * The uploads at the bottom of every page. The tray is loaded after the page, and then resumes the uploads of
 * the last visit.
 */
export function UploadTray() {
  const [isTime, setTime] = useState(false);
  useEffect(() => whenIdle(() => setTime(true)), []);
  useEffect(preventFileNavigation, []);
  return <Suspense>{isTime && <LiveTray />}</Suspense>;
}

/** Stops the browser from opening a file that is dropped outside a drop target, which replaces the page. */
function preventFileNavigation(): () => void {
  const prevent = (event: DragEvent) => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', prevent);
  window.addEventListener('drop', prevent);
  return () => {
    window.removeEventListener('dragover', prevent);
    window.removeEventListener('drop', prevent);
  };
}
