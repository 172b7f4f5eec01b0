const MAX_KEY_BYTES = 512;

// What a file name may have on the usual file systems; the same limit holds on every store.
const MAX_SEGMENT_BYTES = 255;

const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;

/** What passes can stand in a file path and in a URL as it is, and cannot climb out of a store's directory. */
export function isObjectKey(key: string): boolean {
  if (key.length > MAX_KEY_BYTES || !KEY.test(key)) return false;
  return key.length <= MAX_SEGMENT_BYTES || key.split('/').every((part) => part.length <= MAX_SEGMENT_BYTES);
}

/** Keys are made by this program, never by a caller, so a bad one is our own fault and a plain `Error`. */
export function checkObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new Error(`Not an object key: ${JSON.stringify(key.slice(0, MAX_KEY_BYTES))}`);
}

/** A prefix of a listing is empty or whole segments, with no `/` at the end. */
export function checkObjectPrefix(prefix: string): void {
  if (prefix !== '') checkObjectKey(prefix);
}
