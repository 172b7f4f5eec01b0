import { ApiError } from '../../api/api-error.ts';
import { messageOf } from '../../common/message-of.ts';
import { formatSpan } from '../../messages/from-now.ts';
import { messages } from '../../messages/i18n.ts';

/** Why the password stays as it is. The service says more than its status where it speaks the language of the page. */
export function textOfPasswordError(error: Error): string {
  if (error instanceof ApiError && error.status === 429 && error.retryAfter !== undefined) {
    return messages.t('auth.tooMany', { when: formatSpan(error.retryAfter) });
  }
  if (error instanceof ApiError && error.status === 400 && messages.language !== 'en') {
    return messages.t('profile.passwordRefused');
  }
  return messageOf(error);
}
