import { ApiError } from '../../../api/api-error.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyWords } from '../../../ui/notifications/notify.ts';
import { wordsForError } from '../progress/ending-words.ts';

/** Shows why another device could not be asked. For `onError` of mutations. */
export function notifyDeviceFailure(error: unknown): void {
  const isGone = error instanceof ApiError && error.status === 404;
  notifyWords(isGone ? messages.t('transfer.deviceGone') : wordsForError(error));
}
