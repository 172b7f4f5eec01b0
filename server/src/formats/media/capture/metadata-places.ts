import type { RangedBytes } from '../../ranged-bytes.ts';
import { isHeif, isTiff } from '../containers.ts';
import { jpegSegments } from '../jpeg-segments.ts';
import { findHeifBlocks } from './heif-items.ts';
import { findIptcResource, PHOTOSHOP_HEADER } from './iptc.ts';
import { EXIF_HEADER, MAX_CHUNKS, type MetadataBlock, readBlock, skipExifHeader } from './metadata-block.ts';
import { findPngBlocks } from './png-chunks.ts';

/** More blocks than any real file has. */
const MAX_BLOCKS = 16;

const XMP_HEADER = 'http://ns.adobe.com/xap/1.0/\0';

/**
 * Finds the metadata blocks, which are in a different place in each format. A TIFF is itself such a block.
 */
export async function findBlocks(type: string, bytes: RangedBytes): Promise<readonly MetadataBlock[]> {
  const found: MetadataBlock[] = [];
  for await (const block of blocksOf(type, bytes)) {
    found.push(block);
    if (found.length === MAX_BLOCKS) break;
  }
  return found;
}

async function* blocksOf(type: string, bytes: RangedBytes): AsyncGenerator<MetadataBlock> {
  if (type === 'image/jpeg') yield* findInJpeg(bytes);
  else if (type === 'image/png') yield* findPngBlocks(bytes);
  else if (type === 'image/webp') yield* findInWebp(bytes);
  else if (isHeif(type)) yield* findHeifBlocks(bytes);
  else if (isTiff(type)) yield { kind: 'exif', bytes, place: { start: 0, length: bytes.size } };
}

/** A JPEG has metadata in application segments, which begin with a name. */
async function* findInJpeg(bytes: RangedBytes): AsyncGenerator<MetadataBlock> {
  for await (const { marker, start, length } of jpegSegments(bytes)) {
    if (marker !== 0xe1 && marker !== 0xed) continue;
    const name =
      (await bytes.readExactly(start, Math.min(length, XMP_HEADER.length)))?.toString('latin1') ?? '';
    const after = (header: string) => ({ start: start + header.length, length: length - header.length });
    if (name.startsWith(EXIF_HEADER)) yield { kind: 'exif', bytes, place: after(EXIF_HEADER) };
    else if (name === XMP_HEADER) yield { kind: 'xmp', bytes, place: after(XMP_HEADER) };
    else if (name.startsWith(PHOTOSHOP_HEADER)) {
      const resources = after(PHOTOSHOP_HEADER);
      const content = await readBlock({ bytes, place: resources });
      const found = content && findIptcResource(content);
      if (content === undefined || found === undefined) continue;
      const place = { start: resources.start + found.byteOffset - content.byteOffset, length: found.length };
      yield { kind: 'iptc', bytes, place };
    }
  }
}

/**
 * A WebP has metadata in the chunks `EXIF` and `XMP ` (RFC 9649, section 2.7.1.5). Some programs write the
 * header of a JPEG into the first one.
 */
async function* findInWebp(bytes: RangedBytes): AsyncGenerator<MetadataBlock> {
  for (let place = 12, steps = 0; steps < MAX_CHUNKS; steps += 1) {
    const chunk = await bytes.readExactly(place, 8);
    if (chunk === undefined) return;
    const type = chunk.toString('latin1', 0, 4);
    const content = { start: place + 8, length: chunk.readUInt32LE(4) };
    if (type === 'EXIF') yield { kind: 'exif', bytes, place: await skipExifHeader(bytes, content) };
    if (type === 'XMP ') yield { kind: 'xmp', bytes, place: content };
    // Chunks are padded to an even length.
    place = content.start + content.length + (content.length % 2);
  }
}
