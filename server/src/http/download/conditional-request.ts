import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../../base/clock.ts';

/** What tells one state of a file from another. */
export interface Validators {
  /** The tag without quotes; always a strong one. */
  readonly etag: string;
  readonly modifiedAt: Instant;
}

export type Condition = 'fulfilled' | 'not-modified' | 'failed';

/** The preconditions of a GET or HEAD, in the order of RFC 9110, section 13.2.2. */
export function checkConditions(headers: IncomingHttpHeaders, file: Validators): Condition {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    if (!namesTag(ifMatch, file.etag, 'strong')) return 'failed';
  } else {
    const ifUnmodifiedSince = parseHttpDate(headers['if-unmodified-since']);
    if (ifUnmodifiedSince !== undefined && toSeconds(file.modifiedAt) > toSeconds(ifUnmodifiedSince))
      return 'failed';
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined)
    return namesTag(ifNoneMatch, file.etag, 'weak') ? 'not-modified' : 'fulfilled';
  const ifModifiedSince = parseHttpDate(headers['if-modified-since']);
  if (ifModifiedSince === undefined) return 'fulfilled';
  return toSeconds(file.modifiedAt) <= toSeconds(ifModifiedSince) ? 'not-modified' : 'fulfilled';
}

/**
 * Whether a `Range` may be answered with a part. With `If-Range` only when the client holds parts of this
 * very state: a strong tag, or exactly the `Last-Modified` we sent (RFC 9110, section 13.1.5).
 */
export function allowsRange(headers: IncomingHttpHeaders, file: Validators): boolean {
  const ifRange = headers['if-range'];
  if (typeof ifRange !== 'string') return true;
  const tag = ifRange.trim();
  if (tag.startsWith('"') || tag.startsWith('W/')) return tag === `"${file.etag}"`;
  const date = parseHttpDate(ifRange);
  return date !== undefined && toSeconds(date) === toSeconds(file.modifiedAt);
}

// RFC 9110, section 8.8.3. Node reads header bytes as Latin-1, hence the last range.
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

function namesTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  for (const [, weak, tag] of list.matchAll(ENTITY_TAG)) {
    if (tag === etag && (weak === undefined || comparison === 'weak')) return true;
  }
  return false;
}

// IMF-fixdate, RFC 850 date, asctime date: a recipient must read all three (RFC 9110, section 5.6.7), and
// must ignore the header when it holds anything else, which Date.parse alone would not.
const ZONED_DATE = /^[A-Z][a-z]+, \d\d[ -][A-Z][a-z]{2}[ -](\d{4}|\d\d) \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

function parseHttpDate(text: string | string[] | undefined): Instant | undefined {
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  const zoned = ASCTIME_DATE.test(trimmed) ? `${trimmed} GMT` : trimmed;
  if (zoned === trimmed && !ZONED_DATE.test(zoned)) return undefined;
  const instant = Date.parse(zoned);
  return Number.isNaN(instant) ? undefined : instant;
}

// An HTTP date has whole seconds; what is finer must not count as newer.
function toSeconds(instant: Instant): number {
  return Math.floor(instant / 1_000);
}
