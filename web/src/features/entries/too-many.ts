import { messages } from '../../messages/i18n.ts';
import { notifyText } from '../../ui/notifications/notify.ts';

/** The maximum number of entries that the service puts into one archive. */
export const MAX_TOGETHER = 1_000;

export function notifyTooMany(): void {
  notifyText(messages.t('drive.tooMany', { count: MAX_TOGETHER }));
}
