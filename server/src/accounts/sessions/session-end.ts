import type { SessionEnd } from '../../base/domain/accounts.ts';
import { Failure } from '../../base/failure.ts';

const MESSAGES: Readonly<Record<SessionEnd, string>> = {
  'logged-out': 'You have logged out. Please log in again.',
  'logged-out-elsewhere': 'This login was ended from another device. Please log in again.',
  'password-changed': 'The password was changed. Please log in with the new one.',
  'password-reset': 'An administrator has set a new password. Please log in with it.',
  banned: 'This account is blocked.',
  deleted: 'This account was deleted.',
  replaced: 'This login was replaced by a newer one. Please log in again.',
  'too-many':
    'There were too many logins, so the one that was not used for the longest has ended. Please log in again.',
  expired: 'This login was not used for a long time and has expired. Please log in again.',
};

/**
 * The failure of a request with a token of an ended session.
 * @param end undefined if the cause is not known
 */
export function endedLogin(end: SessionEnd | undefined): Failure {
  if (end === undefined) return new Failure('unauthenticated', 'The login has ended. Please log in again.');
  return new Failure('unauthenticated', MESSAGES[end], { sessionEnd: end });
}
