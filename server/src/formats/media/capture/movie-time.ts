import type { RangedBytes } from '../../ranged-bytes.ts';
import { findElement, findSegmentInfo } from './matroska-elements.ts';
import { findMp4Time } from './mp4-time.ts';
import { MAX_TIME_TEXT, parseTime, toUtc } from './real-time.ts';

const READERS: Readonly<Record<string, (bytes: RangedBytes) => Promise<string | undefined>>> = {
  'video/mp4': findMp4Time,
  'video/quicktime': findMp4Time,
  'video/3gpp': findMp4Time,
  'video/3gpp2': findMp4Time,
  'video/x-m4v': findMp4Time,
  'video/x-matroska': findMatroskaTime,
  'video/webm': findMatroskaTime,
  'video/x-msvideo': findAviTime,
  'video/x-ms-asf': findAsfTime,
};

/** When a movie was filmed, in ISO-8601. Undefined if the camera's clock was not set. */
export async function findMovieTime(type: string, bytes: RangedBytes): Promise<string | undefined> {
  return await READERS[type]?.(bytes);
}

/** The ASF object with the file's properties. The numbers of a GUID are stored in little-endian order. */
const FILE_PROPERTIES = 'a1dcab8c47a9cf118ee400c00c205365';
const HEADER_BYTES = 30;
const OBJECT_HEAD_BYTES = 24;
/** The date follows the head, an id of 16 bytes, and the size. */
const DATE_AT = OBJECT_HEAD_BYTES + 24;
/** More objects than any real header has. */
const MAX_OBJECTS = 200;

/** Dates count steps of 100 nanoseconds from the beginning of 1601, in UTC. */
const SECONDS_TO_1970 = 11_644_473_600;
const TICKS = 10_000_000n;

async function findAsfTime(bytes: RangedBytes): Promise<string | undefined> {
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

/** More chunks than any real file has before its dates. */
const MAX_CHUNKS = 1_000;

/** The lists whose chunks are read. The list of pictures is skipped. */
const LISTS = ['hdrl', 'INFO'];
/** The chunks with the times of digitising and of creation. */
const DATES = ['IDIT', 'ICRD'];

/** AVI has the time as text in a chunk of the header, or in the information list after the pictures. */
async function findAviTime(bytes: RangedBytes): Promise<string | undefined> {
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
    // Chunks are padded to an even length.
    at += 8 + length + (length % 2);
  }
  return undefined;
}

const DATE = 0x4461;

/** The beginning of 2001, from which dates count nanoseconds (RFC 9559, section 5.1.2.11). */
const SECONDS_TO_2001 = 978_307_200;
const NANOSECONDS = 1_000_000_000n;

async function findMatroskaTime(bytes: RangedBytes): Promise<string | undefined> {
  const info = await findSegmentInfo(bytes);
  const date = info && (await findElement(bytes, DATE, info));
  const content = date?.length === 8 ? await bytes.readExactly(date.start, 8) : undefined;
  if (content === undefined) return undefined;
  const seconds = SECONDS_TO_2001 + Number(content.readBigInt64BE() / NANOSECONDS);
  return toUtc(seconds);
}
