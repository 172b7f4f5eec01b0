import { type NotificationData, notifications } from '@mantine/notifications';
import { showMarks } from '../../../../client/src/common/direction-marks.ts';
import { loadMessageOf } from '../../common/message-of.ts';
import { messages } from '../../messages/i18n.ts';
import { labelled } from '../labelled.ts';

/** Shows a notification, by default of a success. */
export function notify(message: string, kind: NoticeKind = 'success'): void {
  notifications.show({ ...frame(kind), message: showMarks(message) });
}

/** Shows an error notification. For `onError` of mutations. */
export function notifyError(error: unknown): void {
  void loadMessageOf(error).then(notifyText);
}

/** Shows an error notification with this text. */
export function notifyText(message: string): void {
  notifications.show({ ...frame('failure'), message: showMarks(message) });
}

export type NoticeKind = 'success' | 'neutral' | 'failure';

const COLORS = { success: 'green', neutral: 'gray', failure: 'red' } as const;

/** Failures are read again, and may be longer. */
const FAILURE_STAYS_MS = 10_000;

/** Options common to all notifications of a kind. */
export function frame(
  kind: NoticeKind,
): Pick<NotificationData, 'withBorder' | 'closeButtonProps' | 'color' | 'role' | 'autoClose'> {
  return {
    withBorder: true,
    closeButtonProps: labelled(messages.t('common.close')),
    color: COLORS[kind],
    ...(kind === 'failure' && { role: 'alert', autoClose: FAILURE_STAYS_MS }),
  };
}
