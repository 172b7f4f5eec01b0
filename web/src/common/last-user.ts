import { lastSessionEnd } from '../api/session.ts';
import { readStored, writeStored } from '../api/stored.ts';

/** Stores who was logged in last, in any visit. */
const KEY = 'holdall.last-user';

/**
 * Whether the user whose unsaved work this browser keeps has left: they have logged out, or somebody else has
 * logged in. A session that the service has ended is not a logout: the same user may log in again and
 * continue.
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
