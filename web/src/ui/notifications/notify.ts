import { type NotificationData, notifications } from '@mantine/notifications';
import { showMarks } from '../../../../client/src/common/direction-marks.ts';
import { loadMessageOf } from '../../common/message-of.ts';
import { messages } from '../../messages/i18n.ts';
import { labelled } from '../labelled.ts';

/** Shows a success notification. */
export function notify(message: string): void {
  notifications.show({ message: showMarks(message), ...frame() });
}

/** Shows an error notification. For `onError` of mutations. */
export function notifyError(error: unknown): void {
  void loadMessageOf(error).then(notifyText);
}

/** Shows an error notification with this text. */
export function notifyText(message: string): void {
  notifications.show({ message: showMarks(message), color: 'red', role: 'alert', ...frame() });
}

/** Options common to all notifications. */
export function frame(): Pick<NotificationData, 'withBorder' | 'closeButtonProps'> {
  return { withBorder: true, closeButtonProps: labelled(messages.t('common.close')) };
}
