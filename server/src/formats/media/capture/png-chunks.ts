import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { RangedBytes } from '../../ranged-bytes.ts';
import { findIptcResource } from './iptc.ts';
import { EXIF_HEADER, MAX_CHUNKS, type MetadataBlock, readBlock, skipExifHeader } from './metadata-block.ts';

/** The maximum size of a decompressed metadata text. Longer texts are not read. */
const MAX_TEXT_BYTES = 262_144;
/** Longer than any name of a text (PNG, section 11.3.3). */
const MAX_NAME_BYTES = 80;

const XMP_NAME = 'XML:com.adobe.xmp';
const TIME_NAMES = ['Creation Time', 'create-date', 'Creation time'];

/** A PNG has metadata in chunks before or after the pixels: a block, named texts, and the last change. */
export async function* findPngBlocks(bytes: RangedBytes): AsyncGenerator<MetadataBlock> {
  const later: MetadataBlock[] = [];
  for (let place = 8, steps = 0; steps < MAX_CHUNKS; steps += 1) {
    const chunk = await bytes.readExactly(place, 8);
    if (chunk === undefined) break;
    const type = chunk.toString('latin1', 4, 8);
    const content = { start: place + 8, length: chunk.readUInt32BE(0) };
    if (type === 'eXIf') yield { kind: 'exif', bytes, place: await skipExifHeader(bytes, content) };
    else if (['tEXt', 'zTXt', 'iTXt'].includes(type)) {
      const text = await readBlock({ bytes, place: content });
      if (text !== undefined && text.length === content.length) yield* blocksOfText(type, text);
    } else if (type === 'tIME') {
      const time = await bytes.readExactly(content.start, 7);
      // The time of the last change comes last: all other times are closer to the capture.
      if (time !== undefined) later.push(toBlock('time', Buffer.from(toTimeText(time))));
    }
    // Skips the checksum after the content.
    place = content.start + content.length + 4;
  }
  yield* later;
}

/** The time is in UTC (PNG, section 11.3.5.1). */
function toTimeText(time: Buffer): string {
  const [month, day, hours, minutes, seconds] = time.subarray(2);
  return `${String(time.readUInt16BE(0)).padStart(4, '0')}-${month}-${day} ${hours}:${minutes}:${seconds}Z`;
}

async function* blocksOfText(type: string, chunk: Buffer): AsyncGenerator<MetadataBlock> {
  const end = chunk.subarray(0, MAX_NAME_BYTES).indexOf(0);
  if (end < 0) return;
  const name = chunk.toString('latin1', 0, end);
  const isProfile = name.startsWith('Raw profile type ');
  if (!isProfile && name !== XMP_NAME && !TIME_NAMES.includes(name)) return;
  const text = await readText(type, chunk.subarray(end + 1));
  if (text === undefined) return;
  if (!isProfile) return yield toBlock(name === XMP_NAME ? 'xmp' : 'time', text);
  const profile = decodeProfile(text);
  if (profile === undefined) return;
  const kind = name.slice('Raw profile type '.length);
  const isExif = profile.toString('latin1', 0, EXIF_HEADER.length) === EXIF_HEADER;
  if (kind === 'xmp') yield toBlock('xmp', profile);
  else if (kind === 'iptc' || kind === '8bim') {
    yield toBlock('iptc', findIptcResource(profile) ?? profile);
  } else if (kind === 'exif' || isExif) yield toBlock('exif', isExif ? profile.subarray(6) : profile);
}

/** @param rest what follows the name: the compression method, in iTXt also the language, then the text */
async function readText(type: string, rest: Buffer): Promise<Buffer | undefined> {
  if (type === 'tEXt') return rest;
  if (type === 'zTXt') return decompress(rest.subarray(1));
  const languageEnd = rest.indexOf(0, 2);
  const end = languageEnd < 0 ? -1 : rest.indexOf(0, languageEnd + 1);
  if (end < 0) return undefined;
  return rest[0] === 1 ? decompress(rest.subarray(end + 1)) : rest.subarray(end + 1);
}

async function decompress(bytes: Buffer): Promise<Buffer | undefined> {
  return promisify(inflate)(bytes, { maxOutputLength: MAX_TEXT_BYTES }).catch(() => undefined);
}

/** Decodes a profile of ImageMagick: a name, the number of bytes, and lines of the bytes in hexadecimal. */
function decodeProfile(text: Buffer): Buffer | undefined {
  const found = /^\s*\S+\s+\d+\s+/.exec(text.toString('latin1', 0, 200));
  return found === null
    ? undefined
    : Buffer.from(text.toString('latin1', found[0].length).replaceAll(/\s+/g, ''), 'hex');
}

function toBlock(kind: MetadataBlock['kind'], content: Buffer): MetadataBlock {
  return { kind, bytes: RangedBytes.of(content), place: { start: 0, length: content.length } };
}
