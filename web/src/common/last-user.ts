import { lastSessionEnd } from '../api/session.ts';
import { readStored, writeStored } from '../api/stored.ts';

/** Stores which user was logged in last, in this or an earlier visit. */
const KEY = 'holdall.last-user';

/**
 * Whether the last user has left, so their unsaved work must be removed from this browser. They have left if
 * they logged out or someone else has logged in. If the service ended the session, the same user may log in
 * again and continue.
 *
 * @param userId of the user who is logged in now
 */
export function hasLastUserLeft(userId: number | undefined): boolean {
  const last = readStored(KEY);
  const isOther = userId !== undefined && last !== undefined && last !== String(userId);
  const hasLoggedOut = userId === undefined && last !== undefined && lastSessionEnd() === undefined;
  if (userId !== undefined) writeStored(KEY, String(userId));
  else if (hasLoggedOut) writeStored(KEY, undefined);
  return isOther || hasLoggedOut;
}
