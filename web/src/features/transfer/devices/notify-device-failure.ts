import { HoldallError } from '../../../../../client/src/errors/errors.ts';
import { messages } from '../../../messages/i18n.ts';
import { notifyText } from '../../../ui/notifications/notify.ts';
import { textForError } from '../progress/ending-text.ts';

/** Shows why another device could not be asked. For `onError` of mutations. */
export function notifyDeviceFailure(error: unknown): void {
  const isGone = error instanceof HoldallError && error.status === 404;
  notifyText(isGone ? messages.t('transfer.deviceGone') : textForError(error));
}
