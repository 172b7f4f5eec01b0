import type { RangedBytes } from '../../../ranged-bytes.ts';
import { MAX_TIME_TEXT, parseTime } from '../real-time.ts';

/** More chunks than any file has before its dates. */
const MAX_CHUNKS = 1_000;

/** Lists whose chunks are visited. That of the pictures is skipped. */
const LISTS = ['hdrl', 'INFO'];
/** When it was digitised, and when it was created. */
const DATES = ['IDIT', 'ICRD'];

/** The text of a chunk in the header, or in the list of information after the pictures. */
export async function findAviTime(bytes: RangedBytes): Promise<string | undefined> {
  for (let at = 12, index = 0; index < MAX_CHUNKS; index += 1) {
    const head = await bytes.readExactly(at, 8);
    if (head === undefined) return undefined;
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const listType = type === 'LIST' ? (await bytes.readExactly(at + 8, 4))?.toString('latin1') : undefined;
    if (listType !== undefined && LISTS.includes(listType)) {
      at += 12;
      continue;
    }
    if (DATES.includes(type) && length <= MAX_TIME_TEXT) {
      const text = (await bytes.readExactly(at + 8, length))?.toString('latin1').replace(/\0.*$/s, '');
      const time = parseTime(text);
      if (time !== undefined) return time;
    }
    // Chunks have an even length.
    at += 8 + length + (length % 2);
  }
  return undefined;
}
