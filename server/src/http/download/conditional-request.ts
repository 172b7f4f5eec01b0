import type { IncomingHttpHeaders } from 'node:http';
import type { Instant } from '../../base/clock.ts';
import { parseHttpDate } from '../../base/file-times.ts';

/** The validators of a file (RFC 9110, section 8.8). */
export interface Validators {
  /** A strong entity tag, without quotes. */
  readonly etag: string;
  /** Undefined if unknown. Conditions on the date are then ignored (section 13.1). */
  readonly modifiedAt?: Instant | undefined;
}

type Condition = 'fulfilled' | 'not-modified' | 'failed';

/**
 * Evaluates the preconditions of a request in the order of RFC 9110, section 13.2.2.
 * @param isChange whether the request changes the file. If so, only the file's content matters, not how a
 *   proxy has encoded it.
 */
export function checkConditions(
  headers: IncomingHttpHeaders,
  file: Validators,
  { isChange = false } = {},
): Condition {
  const ifMatch = headers['if-match'];
  if (ifMatch !== undefined) {
    const isNamed = isChange ? namesContent(ifMatch, file.etag) : includesTag(ifMatch, file.etag, 'strong');
    if (!isNamed) return 'failed';
  } else {
    const ifUnmodifiedSince = readDate(headers['if-unmodified-since']);
    if (ifUnmodifiedSince !== undefined && isModifiedAfter(file, ifUnmodifiedSince)) return 'failed';
  }
  const ifNoneMatch = headers['if-none-match'];
  if (ifNoneMatch !== undefined) {
    const isNamed = isChange
      ? namesContent(ifNoneMatch, file.etag)
      : includesTag(ifNoneMatch, file.etag, 'weak');
    return isNamed ? 'not-modified' : 'fulfilled';
  }
  const ifModifiedSince = readDate(headers['if-modified-since']);
  if (ifModifiedSince === undefined || file.modifiedAt === undefined) return 'fulfilled';
  return isModifiedAfter(file, ifModifiedSince) ? 'fulfilled' : 'not-modified';
}

/**
 * Whether a `Range` header may be honoured. With `If-Range`, the client must have parts of the same version:
 * it must send the strong tag, or exactly the `Last-Modified` date of the file (RFC 9110, section 13.1.5).
 */
export function allowsRange(headers: IncomingHttpHeaders, file: Validators): boolean {
  const ifRange = headers['if-range'];
  if (typeof ifRange !== 'string') return true;
  const tag = ifRange.trim();
  if (tag.startsWith('"') || tag.startsWith('W/')) return tag === `"${file.etag}"`;
  const date = readDate(ifRange);
  if (date === undefined || file.modifiedAt === undefined) return false;
  return toSeconds(date) === toSeconds(file.modifiedAt);
}

// RFC 9110, section 8.8.3. Node decodes headers as Latin-1, hence the range up to \xff.
const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;

/** The suffix that a compressing proxy appends to a tag: Apache `-gzip`, Jetty `--gzip`, others `;br`. */
const CODING = /(?:--?|[;+])(?:x-)?(?:gzip|br|zstd|deflate)$/i;

/**
 * Whether the list of tags in `If-Match` or `If-None-Match` includes the tag. `*` includes every tag. The
 * weak comparison also accepts the tag that a compressing proxy has changed.
 */
function includesTag(list: string, etag: string, comparison: 'strong' | 'weak'): boolean {
  if (list.trim() === '*') return true;
  for (const [, weak, tag = ''] of list.matchAll(ENTITY_TAG)) {
    if (comparison === 'weak' ? isSameContent(tag, etag) : weak === undefined && tag === etag) return true;
  }
  return false;
}

/** Matches the tags of a list, even without quotes or with a proxy's suffix behind the quotes. */
const LISTED = /(?:W\/)?"[^"]*"[^\s,]*|[^\s,"]+/gi;

/**
 * Whether the condition of a change names the content with this tag. A compressing proxy may have made the
 * tag weak or appended the coding, and the client may have lost the quotes. Our tags are strong, so such a
 * tag still names the same content. `*` names any content.
 */
export function namesContent(list: string, etag: string): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(LISTED) ?? [];
  return tags.some((tag) => isSameContent(tag.replace(/^W\//i, '').replaceAll('"', ''), etag));
}

function isSameContent(tag: string, etag: string): boolean {
  return tag === etag || tag.replace(CODING, '') === etag;
}

function readDate(text: string | string[] | undefined): Instant | undefined {
  return typeof text === 'string' ? parseHttpDate(text) : undefined;
}

function isModifiedAfter({ modifiedAt }: Validators, date: Instant): boolean {
  return modifiedAt !== undefined && toSeconds(modifiedAt) > toSeconds(date);
}

// HTTP dates have whole seconds, so a fraction of a second must not make a file look newer.
function toSeconds(instant: Instant): number {
  return Math.floor(instant / 1_000);
}
