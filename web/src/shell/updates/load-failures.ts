// Handles parts of the client that cannot be loaded, because there is no connection, or because the service
// has a newer version and has deleted the files of this one.
import { fetchAnswer } from '../../api/ask.ts';
import { isVersionReplaced, noteReplacedVersion } from '../../common/timing/replaced-version.ts';
import { messages } from '../../messages/i18n.ts';
import { notifyText } from '../../ui/notifications/notify.ts';
import { offerNewVersion } from './new-version.ts';

/** Parts are loaded again every few seconds, and each failure is an event. */
const QUIET_MS = 60_000;

/**
 * Shows a message when a part of the client cannot be loaded. Without a connection, the part is loaded again
 * automatically. A part that a newer version has replaced is not: the user is asked to reload the page, and
 * is asked again only if another part is missing.
 */
export function watchLoadFailures(): void {
  let notifiedAt = Number.NEGATIVE_INFINITY;
  window.addEventListener('vite:preloadError', () => {
    if (isVersionReplaced()) {
      askToReload();
      return;
    }
    if (performance.now() - notifiedAt < QUIET_MS) return;
    notifiedAt = performance.now();
    void hasNewVersion().then((isNew) => {
      if (!isNew) return notifyText(messages.t('app.partMissing'));
      noteReplacedVersion();
      askToReload();
    });
  });
}

function askToReload(): void {
  offerNewVersion({ message: messages.t('app.partReplaced') });
}

/**
 * Whether the service sends another version of the client than this page has. False if it cannot be reached.
 */
async function hasNewVersion(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  if (script === null) return false;
  try {
    const response = await fetchAnswer('/drive', { headers: { accept: 'text/html' } });
    return response.ok && !(await response.text()).includes(new URL(script.src).pathname);
  } catch {
    return false;
  }
}
