import { shorten } from '../../base/text/shorten.ts';
import type { Letter } from './letter.ts';

/** The members of letters that other people, even strangers, have chosen. */
const NAMES = ['byName', 'displayName', 'driveName', 'fileName', 'inviterName', 'name', 'senders', 'title'];
/** The maximum number of characters of a name in a letter. */
const MAX_CHARACTERS = 60;
/** Allows a line break and shows nothing. */
const ZERO_WIDTH_SPACE = '\u200B';

/**
 * Shortens names, and keeps mail programs from turning parts of them into links: a stranger must not get a
 * link into a letter of this service.
 */
export function withHarmlessNames<T extends Letter>(letter: T): T {
  // Directories of the server.
  if (letter.kind === 'SERVICE_FAULT') return letter;
  const members = Object.entries(letter).map(([member, value]) => [
    member,
    NAMES.includes(member) ? toHarmless(value) : value,
  ]);
  // Only the texts of some members have changed.
  return Object.fromEntries(members) as T;
}

function toHarmless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toHarmless);
  if (typeof value !== 'string') return value;
  return shorten(value, MAX_CHARACTERS).replaceAll(/[.:@](?=\S)/g, `$&${ZERO_WIDTH_SPACE}`);
}
