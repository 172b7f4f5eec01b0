import { type Instant, MINUTE } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';

/** The prefix of all object keys. */
export const ALL_DAYS = 'blobs';

/** The key of the object that identifies the database that a store belongs to. No sweep lists it. */
export const STORE_ID_KEY = 'store-id';

const RANDOM_BITS = 144;

/**
 * A key for a new object: `blobs/<day>/<minute>/<random>`. The time keeps directories small, and lets the
 * sweeper find orphaned objects by listing recent days instead of the whole store.
 */
export function newObjectKey(ids: Ids, now: Instant): string {
  const time = new Date(now).toISOString();
  const minute = time.slice(11, 13) + time.slice(14, 16);
  // base64url may begin with "-" or "_", never with a dot.
  return `${prefixOfDay(dayOf(now))}/${minute}/${ids.token(RANDOM_BITS)}`;
}

// The prefix of one policy may look like a minute of another policy's store. Then its store id must not
// match.
const OWN_KEY = new RegExp(`^${ALL_DAYS}/\\d{8}/\\d{4}/(?!${STORE_ID_KEY}$)[\\w.-]+$`);

/**
 * Whether the key has the form of {@link newObjectKey}. Other objects below the prefix of a store are not
 * ours.
 */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** The object key at the end of a path; undefined if there is none. */
export function findKeyInPath(path: string): string | undefined {
  const key = path.split('/').slice(-4).join('/');
  return isOwnKey(key) ? key : undefined;
}

/** `20261121` */
export function dayOf(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10).replaceAll('-', '');
}

/** The prefix of the keys of a day. */
export function prefixOfDay(day: string): string {
  return `${ALL_DAYS}/${day}`;
}

/** The day in a key or in a prefix of a day. */
export function dayOfKey(key: string): string {
  return key.split('/', 2)[1] ?? '';
}

/**
 * The end of the minute in which the key was created. Infinity for a key without a time, so that its object
 * counts as new.
 */
export function endOfMinuteOfKey(key: string): Instant {
  const [, day = '', minute = ''] = key.split('/');
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const instant = Date.parse(`${date}T${minute.slice(0, 2)}:${minute.slice(2)}:00Z`);
  return Number.isNaN(instant) ? Number.POSITIVE_INFINITY : instant + MINUTE;
}
