import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { messageOf } from '../../common/message-of.ts';
import { messages } from '../../messages/i18n.ts';

/** Says why a folder could not become a shared drive. */
export function shareFailureText(error: unknown): string {
  if (!(error instanceof HoldallError)) return messageOf(error);
  const { status, field, message } = error;
  const name = /["“]([^"”]+)["”]/.exec(message)?.[1] ?? '';
  if (status === 403) return messages.t('people.notAllowed');
  if (status === 404)
    return field === 'members'
      ? messages.t('people.unknownPerson', { name })
      : messages.t('people.unknownFolder');
  if (status === 409 && field === 'members') return messages.t('people.twice', { name });
  const limit = /^You can create at most (\d+) shared drives\.$/.exec(message)?.[1];
  if (limit !== undefined) return messages.t('people.tooManyDrives', { limit });
  return messageOf(error);
}
