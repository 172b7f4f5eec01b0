/** Bytes `start` to `end`, both included, as in RFC 9110, section 14.1.2. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const SINGLE_RANGE = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i;

/**
 * What a `Range` header asks of `size` bytes. `undefined` means the header is to be ignored: absent, malformed,
 * of another unit, or asking for several ranges (RFC 9110, section 14.2 leaves those to the server; one part
 * after another is what a client can ask for anyway, and many small ones at once are an attack).
 *
 * Zero bytes have no range that `Content-Range` could name. Clients that send `bytes=0-` with every request
 * would never get an empty file, so the header is ignored there too.
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
