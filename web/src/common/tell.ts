import { notifications } from '@mantine/notifications';
import { messageOf } from './message-of.ts';

/** Tells in a corner of the page that something is done. */
export function tell(message: string): void {
  notifications.show({ message, withBorder: true });
}

/** Tells in a corner of the page what went wrong. For `onError` of mutations. */
export function tellError(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', withBorder: true, role: 'alert' });
}
