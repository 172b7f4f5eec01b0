// Handles parts of the client that cannot be loaded: there is no connection, or the service has a newer
// version and has deleted the files of this one.
import { fetchAnswer } from '../../api/ask.ts';
import { isVersionReplaced, noteReplacedVersion } from '../../common/timing/replaced-version.ts';
import { messages } from '../../messages/i18n.ts';
import { notifyText } from '../../ui/notifications/notify.ts';
import { offerNewVersion } from './new-version.ts';

/**
 * The user is notified at most this often. Loading is retried every few seconds, and each failure is an
 * event.
 */
const QUIET_MS = 60_000;

/**
 * Shows a message when a part of the client cannot be loaded. Without a connection, loading is retried
 * automatically. If a newer version has replaced the part, the user is asked to reload the page instead, and
 * again only if another part is missing.
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
 * Whether the service has another version of the client than this page. False if the service is unreachable.
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
