import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { messageOf } from '../../common/message-of.ts';
import { formatSpan } from '../../messages/from-now.ts';
import { messages } from '../../messages/i18n.ts';

/**
 * Why the password was not changed. This is the service's message if it is in the language of the page.
 */
export function textOfPasswordError(error: unknown, isFirst: boolean): string {
  if (isFirst && error instanceof HoldallError && error.status === 403)
    return messages.t('security.loginTooOld');
  if (error instanceof HoldallError && error.status === 429 && error.retryAfterSeconds !== undefined) {
    return messages.t('auth.tooMany', { when: formatSpan(error.retryAfterSeconds) });
  }
  if (error instanceof HoldallError && error.status === 400 && messages.language !== 'en') {
    return messages.t('profile.passwordRefused');
  }
  return messageOf(error);
}
