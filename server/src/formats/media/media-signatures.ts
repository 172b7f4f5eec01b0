import { isTiff } from './containers.ts';
import { isMediaType, mediaTypeOf } from './media-types.ts';

/** The number of first bytes that {@link findMediaType} needs. */
export const SIGNATURE_BYTES = 4_096;

/** The media type of files that have these characters at this offset. */
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
  [0, 'IIRO', 'image/x-olympus-orf'],
  [0, 'IIRS', 'image/x-olympus-orf'],
  [0, 'MMOR', 'image/x-olympus-orf'],
  [0, 'IIU\0', 'image/x-panasonic-rw2'],
  [0, 'FUJIFILMCCD-RAW', 'image/x-fuji-raf'],
  [6, 'HEAPCCDR', 'image/x-canon-crw'],
  [0, '\0MRM', 'image/x-minolta-mrw'],
  [0, 'FOVb', 'image/x-sigma-x3f'],
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
  [0, 'MAC ', 'audio/x-ape'],
  [0, 'wvpk', 'audio/x-wavpack'],
  [0, 'MPCK', 'audio/x-musepack'],
  [0, 'MP+', 'audio/x-musepack'],
  [0, 'caff', 'audio/x-caf'],
  [0, '.snd', 'audio/basic'],
  [0, '.RMF', 'video/vnd.rn-realvideo'],
  [0, '\x1f\x07\0', 'video/x-dv'],
  [0, '\0\0\x01\xba', 'video/mpeg'],
  [0, '\0\0\x01\xb3', 'video/mpeg'],
];

/** `RIFF` and `FORM` files, by the characters after the length. */
const CHUNKED: Readonly<Record<string, string>> = {
  RIFFWEBP: 'image/webp',
  RIFFWAVE: 'audio/wav',
  'RIFFAVI ': 'video/x-msvideo',
  FORMAIFF: 'audio/aiff',
  FORMAIFC: 'audio/aiff',
};

/** Brands of an `ftyp` box. Brands of pictures also count as compatible brands. */
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

/** Containers that may contain only audio, which their first bytes do not reveal. */
const CONTAINERS = /^video\/(mp4|webm|ogg|quicktime|3gpp2?|x-matroska|x-ms-asf)$/;
/** The types that the first bytes reveal. For all other types the name counts. */
const RECOGNIZED = new Set([
  ...SIGNATURES.map(([, , type]) => type),
  ...Object.values(CHUNKED),
  ...[...BRANDS, ...MAJOR_BRANDS].map(([, type]) => type),
  ...['image/bmp', 'image/svg+xml', 'video/mp4', 'video/webm', 'video/x-matroska', 'video/ogg', 'video/mp2t'],
  ...['audio/aac', 'audio/mpeg', 'audio/ogg'],
]);

/** Other names of these types. */
const RECOGNIZED_OTHERWISE = new Set([
  ...['image/apng', 'image/pjpeg', 'image/heic-sequence', 'image/heif-sequence', 'image/vnd.microsoft.icon'],
  ...['audio/x-aiff', 'audio/mp3', 'audio/webm', 'audio/x-matroska', 'video/x-m4v', 'video/x-ms-vob'],
  ...['video/x-ms-wmv', 'audio/x-ms-wma', 'video/x-f4v'],
]);

/** The audio types whose names differ from their container's. */
const AUDIO_ONLY: Readonly<Record<string, string>> = { quicktime: 'audio/mp4', 'x-ms-asf': 'audio/x-ms-wma' };
const BMP_HEADER_SIZES = [12, 16, 40, 52, 56, 64, 108, 124];

/**
 * Finds the type of a picture, video or audio file by its first bytes; undefined for other files. The name
 * decides for containers that may contain only audio, and for formats whose first bytes say too little.
 */
export function findMediaType(head: Uint8Array, name: string): string | undefined {
  const bytes = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, SIGNATURE_BYTES));
  const type = findType(bytes);
  const named = mediaTypeOf(name);
  // Most raw files are TIFF files, and say no more about themselves.
  if (type === 'image/tiff' && named !== null && isTiff(named)) return named;
  if (type === undefined)
    return isMediaType(named) && !isRecognized(named ?? '') ? (named ?? undefined) : type;
  const container = CONTAINERS.exec(type ?? '')?.[1];
  if (container === undefined || named?.startsWith('audio/') !== true) return type;
  return AUDIO_ONLY[container] ?? `audio/${container}`;
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
  if (isTransportStream(text)) return 'video/mp2t';
  return typeOfFrames(bytes) ?? (isSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined);
}

/**
 * MPEG transport streams have packets of 188 bytes, each of which begins with a G. Camcorders and discs write
 * a four-byte time before each packet.
 */
function isTransportStream(text: string): boolean {
  return [
    [0, 188],
    [4, 192],
  ].some(([start = 0, length = 0]) => [0, 1, 2].every((index) => text[start + index * length] === 'G'));
}

/** Whether the first bytes reveal the type. For raw files based on TIFF they at least reveal TIFF. */
function isRecognized(type: string): boolean {
  return RECOGNIZED.has(type) || isTiff(type) || RECOGNIZED_OTHERWISE.has(type);
}

function typeOfBrands(bytes: Buffer, text: string): string {
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 256);
  const major = text.slice(8, 12);
  const others: string[] = [];
  for (let place = 16; place + 4 <= end; place += 4) others.push(text.slice(place, place + 4));
  const byMajorBrand = [...BRANDS.slice(0, 2), ...MAJOR_BRANDS].find(([brand]) => brand.test(major));
  if (byMajorBrand !== undefined) return byMajorBrand[1];
  // If the major brand only says that it is a picture, a compatible brand reveals the format.
  if (BRANDS.some(([brand]) => brand.test(major))) {
    return BRANDS.find(([brand]) => others.some((other) => brand.test(other)))?.[1] ?? 'image/heif';
  }
  return 'video/mp4';
}

/** MPEG audio and AAC begin with a frame, whose first bits are all set. */
function typeOfFrames(bytes: Buffer): string | undefined {
  const [first = 0, second = 0, third = 0] = bytes;
  if (first !== 0xff) return undefined;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  // Accepts layers II and III only, because UTF-16 text begins like layer I.
  const hasLayer = (second & 0xe0) === 0xe0 && (second & 0x18) !== 0x08 && [2, 4].includes(second & 0x06);
  return hasLayer && third >> 4 !== 0x0f && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : undefined;
}

/** Whether the first element of a document is `<svg>`, after an optional prolog. */
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
 * The end of the declaration, comment or document type at the start of the text; -1 if it has no end,
 * undefined if there is none.
 */
function endOfProlog(text: string): number | undefined {
  const endAfter = (mark: string) => {
    const found = text.indexOf(mark);
    return found < 0 ? -1 : found + mark.length;
  };
  if (text.startsWith('<?')) return endAfter('?>');
  if (text.startsWith('<!--')) return endAfter('-->');
  if (!/^<!DOCTYPE/i.test(text)) return undefined;
  const inner = text.indexOf('[');
  return inner >= 0 && inner < text.indexOf('>') ? endAfter(']>') : endAfter('>');
}
