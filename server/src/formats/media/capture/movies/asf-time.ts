import type { RangedBytes } from '../../../ranged-bytes.ts';
import { toUtc } from '../real-time.ts';

/** The object with the properties of the file. Numbers of a GUID are stored in the other order. */
const FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const HEADER_BYTES = 30;
const OBJECT_HEAD_BYTES = 24;
/** After the head, an id of 16 bytes, and the size. */
const DATE_AT = OBJECT_HEAD_BYTES + 24;
/** More objects than any header has. */
const MAX_OBJECTS = 200;

/** Dates count 100 nanoseconds from the beginning of 1601, in UTC. */
const SECONDS_TO_1970 = 11_644_473_600;
const TICKS = 10_000_000n;

export async function findAsfTime(bytes: RangedBytes): Promise<string | undefined> {
  for (let at = HEADER_BYTES, index = 0; index < MAX_OBJECTS; index += 1) {
    const head = await bytes.readExactly(at, OBJECT_HEAD_BYTES);
    if (head === undefined) return undefined;
    if (head.toString('hex', 0, 16) === FILE_PROPERTIES) {
      const date = await bytes.readExactly(at + DATE_AT, 8);
      return date && toUtc(Number(date.readBigUInt64LE() / TICKS) - SECONDS_TO_1970);
    }
    const length = Number(head.readBigUInt64LE(16));
    if (length < OBJECT_HEAD_BYTES) return undefined;
    at += length;
  }
  return undefined;
}
