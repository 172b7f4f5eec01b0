import { notifyText } from '../../../ui/notifications/notify.ts';
import { textForError } from './ending-text.ts';

/** Shows an error of a transfer as a notification. For `onError` of mutations. */
export function notifyFailure(error: unknown): void {
  notifyText(textForError(error));
}
