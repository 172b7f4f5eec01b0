import { type Instant, MINUTE } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';

/** The prefix under which all objects of all days lie. */
export const ALL_DAYS = 'blobs';

/** The object that names the database to which a store belongs; it lies beside the blobs, where no sweep looks. */
export const STORE_ID_KEY = 'store-id';

const RANDOM_BITS = 144;

/**
 * An opaque key for a new object: `blobs/<day>/<minute>/<random>`. The time in it keeps directories small and lets
 * the sweeper find what nothing refers to by listing recent days instead of the whole store.
 */
export function newObjectKey(ids: Ids, now: Instant): string {
  const time = new Date(now).toISOString();
  const minute = time.slice(11, 13) + time.slice(14, 16);
  // base64url may begin with "-" or "_", never with a dot.
  return `${prefixOfDay(dayOf(now))}/${minute}/${ids.token(RANDOM_BITS)}`;
}

// The prefix of a policy may look like a minute of another store's: then the mark of its store is none of these.
const OWN_KEY = new RegExp(`^${ALL_DAYS}/\\d{8}/\\d{4}/(?!${STORE_ID_KEY}$)[\\w.-]+$`);

/** Whether the key can be one of these. What has another one, below the same prefix of a store, is somebody else's. */
export function isOwnKey(key: string): boolean {
  return OWN_KEY.test(key);
}

/** The key at the end of a path; undefined where there is none of ours. */
export function findKeyInPath(path: string): string | undefined {
  const key = path.split('/').slice(-4).join('/');
  return isOwnKey(key) ? key : undefined;
}

/** `20261121` */
export function dayOf(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10).replaceAll('-', '');
}

/** The prefix under which all objects of a day lie. */
export function prefixOfDay(day: string): string {
  return `${ALL_DAYS}/${day}`;
}

/** The day in a key, however the object came there. */
export function dayOfKey(key: string): string {
  return key.split('/', 2)[1] ?? '';
}

/**
 * The end of the minute in which an object of that key was begun. A key without a time counts as one that is yet to be
 * begun.
 */
export function endOfMinuteOfKey(key: string): Instant {
  const [, day = '', minute = ''] = key.split('/');
  const date = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
  const instant = Date.parse(`${date}T${minute.slice(0, 2)}:${minute.slice(2)}:00Z`);
  return Number.isNaN(instant) ? Number.POSITIVE_INFINITY : instant + MINUTE;
}
