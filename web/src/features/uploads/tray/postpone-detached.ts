import { messages } from '../../../messages/i18n.ts';
import { notify } from '../../../ui/notifications/notify.ts';
import { uploads } from '../uploads.ts';

/** Hides the interrupted uploads, and says where they are found again. */
export function postponeDetached(): void {
  uploads.postpone();
  notify(messages.t('uploads.postponed'));
}
