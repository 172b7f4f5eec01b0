import { type NotificationData, notifications } from '@mantine/notifications';
import { messageOf } from '../common/message-of.ts';
import { messages } from '../messages/i18n.ts';

/** Tells in a corner of the page that something is done. */
export function tell(message: string): void {
  notifications.show({ message, ...frame() });
}

/** Tells in a corner of the page what went wrong. For `onError` of mutations. */
export function tellError(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', role: 'alert', ...frame() });
}

/** What notifications have in common. */
export function frame(): Pick<NotificationData, 'withBorder' | 'closeButtonProps'> {
  return { withBorder: true, closeButtonProps: { 'aria-label': messages.t('common.close') } };
}
