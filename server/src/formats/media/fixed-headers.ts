import type { ImageDimensions } from './dimensions.ts';

/** How many of the first bytes these readers need. */
export const FIXED_HEADER_BYTES = 64;

/**
 * Readers of the formats whose size has a fixed place near the beginning. Each gets exactly
 * {@link FIXED_HEADER_BYTES}, filled with zeros after the end of a shorter file, and gives undefined if the
 * bytes are not of its format.
 */
export const FIXED_HEADERS: Readonly<Record<string, (header: Buffer) => ImageDimensions | undefined>> = {
  'image/png': readPng,
  'image/gif': readGif,
  'image/webp': readWebp,
  'image/bmp': readBmp,
};

function readGif(header: Buffer): ImageDimensions | undefined {
  if (!isAt(header, 0, 'GIF8')) return undefined;
  return { width: header.readUInt16LE(6), height: header.readUInt16LE(8) };
}

/** The chunk IHDR comes first, but in pictures of iPhone apps after a chunk of 16 bytes. */
function readPng(header: Buffer): ImageDimensions | undefined {
  const place = isAt(header, 12, 'CgBI') ? 28 : 12;
  if (!isAt(header, place, 'IHDR')) return undefined;
  return { width: header.readUInt32BE(place + 4), height: header.readUInt32BE(place + 8) };
}

/** The first chunk is that of a lossy, a lossless or an extended picture (RFC 9649, section 2). */
function readWebp(header: Buffer): ImageDimensions | undefined {
  if (isAt(header, 12, 'VP8X')) {
    return { width: header.readUIntLE(24, 3) + 1, height: header.readUIntLE(27, 3) + 1 };
  }
  if (isAt(header, 12, 'VP8L') && header[20] === 0x2f) {
    const bits = header.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (isAt(header, 12, 'VP8 ') && isAt(header, 23, '\x9d\x01\x2a')) {
    return { width: header.readUInt16LE(26) & 0x3fff, height: header.readUInt16LE(28) & 0x3fff };
  }
  return undefined;
}

/** The oldest version has sides of 16 bits. A negative height means that the first row is at the top. */
function readBmp(header: Buffer): ImageDimensions | undefined {
  if (!isAt(header, 0, 'BM')) return undefined;
  if (header.readUInt32LE(14) === 12) {
    return { width: header.readUInt16LE(18), height: header.readUInt16LE(20) };
  }
  return { width: header.readInt32LE(18), height: Math.abs(header.readInt32LE(22)) };
}

function isAt(header: Buffer, place: number, letters: string): boolean {
  return header.toString('latin1', place, place + letters.length) === letters;
}
