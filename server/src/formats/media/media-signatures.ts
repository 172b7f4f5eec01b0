import { isMediaType, mediaTypeOf } from './media-types.ts';

/** So many bytes of the beginning are enough to know a file by. */
export const SIGNATURE_BYTES = 4_096;

/** The letters at a place of the file, and what it is then. */
type Signature = readonly [place: number, letters: string, type: string];

const SIGNATURES: readonly Signature[] = [
  [0, '\xff\xd8\xff', 'image/jpeg'],
  [0, '\x89PNG\r\n\x1a\n', 'image/png'],
  [0, 'GIF87a', 'image/gif'],
  [0, 'GIF89a', 'image/gif'],
  [0, 'II*\0', 'image/tiff'],
  [0, 'MM\0*', 'image/tiff'],
  [0, 'II+\0', 'image/tiff'],
  [0, 'MM\0+', 'image/tiff'],
  [0, '8BPS', 'image/vnd.adobe.photoshop'],
  [0, '\0\0\0\x0cjP  ', 'image/jp2'],
  [0, '\0\0\0\x0cJXL ', 'image/jxl'],
  [0, '\xff\x0a', 'image/jxl'],
  [0, '\0\0\x01\0', 'image/x-icon'],
  [0, 'ID3', 'audio/mpeg'],
  [0, 'fLaC', 'audio/flac'],
  [0, 'MThd', 'audio/midi'],
  [0, '#!AMR', 'audio/amr'],
  [0, 'FLV\x01', 'video/x-flv'],
  [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11', 'video/x-ms-asf'],
  [0, '\0\0\x01\xba', 'video/mpeg'],
  [0, '\0\0\x01\xb3', 'video/mpeg'],
];

/** By the letters behind the length in `RIFF` and `FORM`. */
const CHUNKED: Readonly<Record<string, string>> = {
  RIFFWEBP: 'image/webp',
  RIFFWAVE: 'audio/wav',
  'RIFFAVI ': 'video/x-msvideo',
  FORMAIFF: 'audio/aiff',
  FORMAIFC: 'audio/aiff',
};

/** By what an `ftyp` box says; brands of pictures count wherever they stand in it. */
const BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^avi[fs]$/, 'image/avif'],
  [/^(?:hei[cxms]|hev[cxms])$/, 'image/heic'],
  [/^(?:mif1|msf1)$/, 'image/heif'],
];
const MAJOR_BRANDS: readonly (readonly [RegExp, string])[] = [
  [/^M4[AB] $/, 'audio/mp4'],
  [/^qt {2}$/, 'video/quicktime'],
  [/^3g2/, 'video/3gpp2'],
  [/^3g/, 'video/3gpp'],
  [/^crx $/, 'image/x-canon-cr3'],
];

/** Containers that may hold just a sound, which their first bytes do not tell. */
const CONTAINERS = /^video\/(mp4|webm|ogg|quicktime|3gpp2?|x-matroska)$/;
const BMP_HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124];

/**
 * What kind of picture, video or sound it is, by its first bytes; undefined for anything else. The name
 * counts only where a container may hold a film as well as its sound.
 */
export function findMediaType(head: Uint8Array, name: string): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SIGNATURE_BYTES));
  const type = findType(bytes);
  const named = mediaTypeOf(name);
  const container = CONTAINERS.exec(type ?? '')?.[1];
  return container !== undefined && isMediaType(named) && named?.startsWith('audio/')
    ? `audio/${container === 'quicktime' ? 'mp4' : container}`
    : type;
}

function findType(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1');
  const known = SIGNATURES.find(([place, letters]) => text.startsWith(letters, place));
  if (known !== undefined) return known[2];
  const chunked = CHUNKED[text.slice(0, 4) + text.slice(8, 12)];
  if (chunked !== undefined) return chunked;
  if (text.startsWith('ftyp', 4)) return typeOfBrands(bytes, text);
  if (text.startsWith('\x1aE\xdf\xa3')) {
    return text.slice(0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska';
  }
  if (text.startsWith('OggS')) return /\x80theora/.test(text.slice(0, 512)) ? 'video/ogg' : 'audio/ogg';
  if (text.startsWith('BM') && bytes.length >= 26 && BMP_HEADER_SIZES.includes(bytes.readUInt32LE(14))) {
    return 'image/bmp';
  }
  // MPEG transport streams have packets of 188 bytes, each of which begins with a G.
  if (text[0] === 'G' && text[188] === 'G' && text[376] === 'G') return 'video/mp2t';
  return typeOfFrames(bytes) ?? (isSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined);
}

function typeOfBrands(bytes: Buffer, text: string): string {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const major = text.slice(8, 12);
  const others: string[] = [];
  for (let place = 16; place + 4 <= end; place += 4) others.push(text.slice(place, place + 4));
  const ofMajor = [...BRANDS.slice(0, 2), ...MAJOR_BRANDS].find(([brand]) => brand.test(major));
  if (ofMajor !== undefined) return ofMajor[1];
  // What calls itself a picture of any kind says of which among the others.
  if (BRANDS.some(([brand]) => brand.test(major))) {
    return BRANDS.find(([brand]) => others.some((other) => brand.test(other)))?.[1] ?? 'image/heif';
  }
  return 'video/mp4';
}

/** MPEG audio and AAC begin with a frame, whose first bits are set. */
function typeOfFrames(bytes: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff) return undefined;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  // Layers II and III. What would be layer I is how UTF-16 begins.
  const hasLayer = (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && [2, 4].includes(second & 0x06);
  return hasLayer && third >> 4 !== 0x0f && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : undefined;
}

/** Whether the first element of a document is an SVG, behind whatever may stand before one. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  for (;;) {
    const end = endOfProlog(rest);
    if (end === undefined) return /^<svg[\s>/]/.test(rest);
    if (end < 0) return false;
    rest = rest.slice(end).trimStart();
  }
}

/**
 * Where a declaration, a comment or a document type ends; -1 when it does not; undefined when there is none.
 */
function endOfProlog(text: string): number | undefined {
  const endBehind = (mark: string) => {
    const found = text.indexOf(mark);
    return found < 0 ? -1 : found + mark.length;
  };
  if (text.startsWith('<?')) return endBehind('?>');
  if (text.startsWith('<!--')) return endBehind('-->');
  if (!/^<!DOCTYPE/i.test(text)) return undefined;
  const inner = text.indexOf('[');
  return inner >= 0 && inner < text.indexOf('>') ? endBehind(']>') : endBehind('>');
}
