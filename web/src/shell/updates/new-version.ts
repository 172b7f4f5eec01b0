import { messages } from '../../messages/i18n.ts';
import { notifyWithAction } from '../../ui/notifications/notify-with-action.tsx';

/**
 * Offers to reload the page with the new version of the client. Nothing happens without the user's consent.
 * @param options.message replaces the message that a new version is ready
 */
export function offerNewVersion(
  options: { readonly registration?: ServiceWorkerRegistration; readonly message?: string } = {},
): void {
  const { registration, message = messages.t('app.updateReady') } = options;
  const reload = () => {
    // Reads the newest version now, because another one may have arrived since.
    const waiting = registration?.waiting ?? null;
    if (waiting === null) window.location.reload();
    else {
      navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload());
      waiting.postMessage('activate');
    }
  };
  notifyWithAction(message, messages.t('app.reload'), reload, {
    id: 'new-version',
    kind: 'neutral',
    stays: true,
  });
}
