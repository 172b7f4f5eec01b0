import type { DataOf } from '../../../../client/src/client.ts';

/** An account that can become a member of a drive. */
export type Person = DataOf<'GET /api/v2/people'>[number];

/**
 * The only person that a typed text can mean: by exact username, by exact e-mail address, or by a display
 * name that just one of the people found has.
 * @param found the people found for the text; one with exactly that e-mail address comes first
 */
export function findExact(text: string, found: readonly Person[]): Person | undefined {
  const sought = text.trim().toLowerCase();
  const byUsername = found.find(({ username }) => username.toLowerCase() === sought);
  if (byUsername !== undefined) return byUsername;
  if (sought.includes('@')) return found[0];
  const named = found.filter(({ displayName }) => displayName.toLowerCase() === sought);
  return named.length === 1 ? named[0] : undefined;
}
