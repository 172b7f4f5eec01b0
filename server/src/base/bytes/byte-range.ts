/** Bytes `start` to `end`, both inclusive, as in RFC 9110, section 14.1.2. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * Reads a `Range` header for a body of `size` bytes. Undefined means that the header is to be ignored: it is
 * absent, malformed, in another unit, or asks for several ranges. A server may ignore several ranges (RFC
 * 9110, section 14.2): a client can ask for one after another, and many small ones in one request are an
 * attack.
 *
 * For an empty body the header is ignored too. It has no range that `Content-Range` could express, so clients
 * that send `bytes=0-` with every request would never get an empty file.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  if (header === undefined || size === 0) return undefined;
  const found = SINGLE_RANGE.exec(header);
  if (found === null) return undefined;
  const [, first = '', last = ''] = found;
  if (first === '') return last === '' ? undefined : suffixRange(Number(last), size);
  const start = Number(first);
  const end = last === '' ? size - 1 : Number(last);
  if (last !== '' && end < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: Math.min(end, size - 1) };
}

function suffixRange(length: number, size: number): ByteRange | 'unsatisfiable' {
  if (length === 0) return 'unsatisfiable';
  return { start: Math.max(0, size - length), end: size - 1 };
}

export function lengthOf(range: ByteRange): number {
  return range.end - range.start + 1;
}
