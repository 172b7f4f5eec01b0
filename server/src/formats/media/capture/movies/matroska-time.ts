import type { RangedBytes } from '../../../ranged-bytes.ts';
import type { TiffPlace } from '../../tiff-block.ts';
import { toUtc } from '../real-time.ts';

// Matroska and WebM consist of elements (RFC 8794): an id, a length, each with its own width, and the content.

const SEGMENT = 0x18538067;
const INFO = 0x1549a966;
const DATE = 0x4461;

/** The beginning of 2001, from which dates count nanoseconds (RFC 9559, section 5.1.2.11). */
const SECONDS_TO_2001 = 978_307_200;
const NANOSECONDS = 1_000_000_000n;

/** More elements than any file has before its information. */
const MAX_ELEMENTS = 1_000;
const MAX_HEAD_BYTES = 12;

export async function findMatroskaTime(bytes: RangedBytes): Promise<string | undefined> {
  const segment = await findElement(bytes, SEGMENT, { start: 0, length: bytes.size });
  const info = segment && (await findElement(bytes, INFO, segment));
  const date = info && (await findElement(bytes, DATE, info));
  const content = date?.length === 8 ? await bytes.readExactly(date.start, 8) : undefined;
  if (content === undefined) return undefined;
  const seconds = SECONDS_TO_2001 + Number(content.readBigInt64BE() / NANOSECONDS);
  return toUtc(seconds);
}

async function findElement(
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
    // All bits set: the length is unknown, and the element extends to the end.
    const content = length.value === 2 ** (7 * length.width) - 1 ? end - start : length.value;
    if (id.value === wanted) return { start, length: Math.min(content, end - start) };
    at = start + content;
  }
  return undefined;
}

/** The number of leading zeros of the first byte says how many bytes follow. An id keeps its first bit. */
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
