import { HoldallError } from '../../../../client/src/errors/errors.ts';
import { messageOf } from '../../common/message-of.ts';
import { messages } from '../../messages/i18n.ts';

/** Says why a shared drive could not be created, from nothing or from a folder. */
export function creationFailureText(error: unknown): string {
  if (!(error instanceof HoldallError)) return messageOf(error);
  const { status, field, message } = error;
  const name = /["“]([^"”]+)["”]/.exec(message)?.[1] ?? '';
  if (status === 403) return messages.t('drives.notAllowed');
  if (status === 404)
    return field === 'members'
      ? messages.t('drives.unknownPerson', { name })
      : messages.t('drives.unknownFolder');
  if (status === 409 && field === 'members') return messages.t('drives.twice', { name });
  const limit = /^You can create at most (\d+) shared drives\.$/.exec(message)?.[1];
  if (limit !== undefined) return messages.t('drives.tooMany', { count: Number(limit) });
  return messageOf(error);
}
