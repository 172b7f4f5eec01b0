import { messages } from '../../../messages/i18n.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { uploads } from '../uploads.ts';

/** Hides the interrupted uploads, and tells the user where to find them again. */
export function postponeDetached(): void {
  uploads.postpone();
  notify(messages.t('uploads.postponed'));
}
