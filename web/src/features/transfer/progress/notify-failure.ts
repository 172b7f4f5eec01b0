import { notifyWords } from '../../../ui/notifications/notify.ts';
import { wordsForError } from './ending-words.ts';

/** Shows an error of a transfer as a notification. For `onError` of mutations. */
export function notifyFailure(error: unknown): void {
  notifyWords(wordsForError(error));
}
