import type { RangedBytes } from '../../ranged-bytes.ts';
import type { TiffPlace } from '../tiff-block.ts';

// Matroska and WebM consist of elements (RFC 8794). Each has an id and a length, both of variable width, and
// the content.

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;

/** More elements than any real file has before its information. */
const MAX_ELEMENTS = 1_000;
const MAX_HEAD_BYTES = 12;

/** The element with the general information about a movie. */
export async function findSegmentInfo(bytes: RangedBytes): Promise<TiffPlace | undefined> {
  const segment = await findElement(bytes, SEGMENT, { start: 0, length: bytes.size });
  return segment && (await findElement(bytes, INFO, segment));
}

export async function findElement(
  bytes: RangedBytes,
  wanted: number,
  within: TiffPlace,
): Promise<TiffPlace | undefined> {
  const end = Math.min(bytes.size, within.start + within.length);
  for (let at = within.start, index = 0; at < end && index < MAX_ELEMENTS; index += 1) {
    const found = await bytes.read(at, Math.min(MAX_HEAD_BYTES, end - at));
    const head = found && Buffer.from(found.buffer, found.byteOffset, found.byteLength);
    const id = head && readNumber(head, 0, true);
    const length = head && id && readNumber(head, id.width, false);
    if (id === undefined || length === undefined) return undefined;
    const start = at + id.width + length.width;
    // If all bits are set, the length is unknown and the element extends to the end.
    const content = length.value === 2 ** (7 * length.width) - 1 ? end - start : length.value;
    if (id.value === wanted) return { start, length: Math.min(content, end - start) };
    at = start + content;
  }
  return undefined;
}

/** The leading zeros of the first byte tell how many bytes follow. The first set bit counts only in an id. */
function readNumber(
  head: Buffer,
  at: number,
  keepsMark: boolean,
): { readonly value: number; readonly width: number } | undefined {
  const first = head[at] ?? 0;
  const width = Math.clz32(first) - 23;
  if (first === 0 || width > (keepsMark ? 4 : 8) || at + width > head.length) return undefined;
  let value = keepsMark ? first : first & (0xff >> width);
  for (let next = 1; next < width; next += 1) value = value * 256 + (head[at + next] ?? 0);
  return { value, width };
}
