import { SaxesParser } from 'saxes';
import type { RangedBytes } from '../../ranged-bytes.ts';
import { isHeif } from '../containers.ts';
import { findCanonBlocks, findFujiJpeg, findMinoltaBlock } from '../raw-places.ts';
import type { TiffPlace } from '../tiff-block.ts';
import { readExif } from './exif.ts';
import type { CameraSettings } from './exif-settings.ts';
import { findHeifOrientation } from './heif-orientation.ts';
import { readIptcTimes } from './iptc.ts';
import { type MetadataBlock, readBlock } from './metadata-block.ts';
import { findBlocks } from './metadata-places.ts';
import { findMovieTime } from './movie-time.ts';
import { parseTime } from './real-time.ts';

/** What a camera recorded about a picture or video. */
interface Capture extends CameraSettings {
  /**
   * The local time when it was taken, in ISO-8601 with seconds. It has a zone only if the camera recorded
   * one.
   */
  readonly takenAt: string | undefined;
  /** From 1 to 8, as in EXIF: how the stored pixels must be turned and mirrored. */
  readonly orientation: number | undefined;
}

/** The sources of a time, the best one first. */
const PLACES = ['exif', 'xmp', 'iptc', 'gps', 'time'] as const;

/**
 * Finds when a picture or video was taken, how a picture must be turned, and the settings of its camera.
 * Reads a bounded number of bytes. Missing and implausible values are left out.
 *
 * @param type the type that the first bytes show, not the name: see `media-signatures.ts`
 */
export async function findCapture(type: string, bytes: RangedBytes): Promise<Capture> {
  if (type.startsWith('video/')) return { takenAt: await findMovieTime(type, bytes), orientation: undefined };
  const found: Found = { times: new Map(), orientation: undefined, settings: {} };
  const blocks = (await findRawBlocks(type, bytes)) ?? (await findBlocks(type, bytes));
  for (const block of blocks) await readInto(found, block);
  const place = PLACES.find((each) => found.times.has(each));
  return {
    ...found.settings,
    takenAt: place && found.times.get(place),
    orientation: (isHeif(type) ? await findHeifOrientation(bytes) : undefined) ?? found.orientation,
  };
}

/** The metadata of raw files that are not based on TIFF; undefined for other types. */
async function findRawBlocks(
  type: string,
  bytes: RangedBytes,
): Promise<readonly MetadataBlock[] | undefined> {
  if (type === 'image/x-canon-cr3') return toBlocks(bytes, await findCanonBlocks(bytes));
  if (type === 'image/x-minolta-mrw') return toBlocks(bytes, [await findMinoltaBlock(bytes, 'TTW')]);
  if (type !== 'image/x-fuji-raf') return undefined;
  // A Fujifilm raw file contains a JPEG with the metadata.
  const jpeg = await findFujiJpeg(bytes);
  return jpeg === undefined ? [] : await findBlocks('image/jpeg', bytes.part(jpeg));
}

function toBlocks(bytes: RangedBytes, places: readonly (TiffPlace | undefined)[]): readonly MetadataBlock[] {
  return places.flatMap((place) => (place === undefined ? [] : [{ kind: 'exif' as const, bytes, place }]));
}

interface Found {
  /** The first time found in each place. */
  readonly times: Map<(typeof PLACES)[number], string>;
  orientation: number | undefined;
  settings: CameraSettings;
}

async function readInto(found: Found, block: MetadataBlock): Promise<void> {
  const add = (place: (typeof PLACES)[number], time: string | undefined) => {
    if (time !== undefined && !found.times.has(place)) found.times.set(place, time);
  };
  if (block.kind === 'exif') {
    const exif = await readExif(block.bytes, block.place);
    if (exif === undefined) return;
    found.orientation ??= exif.orientation;
    found.settings = { ...exif.settings, ...found.settings };
    add('exif', exif.takenAt);
    add('gps', exif.gpsTime);
    for (const kind of ['xmp', 'iptc'] as const) {
      const place = exif[kind];
      if (place !== undefined) await readInto(found, { kind, bytes: block.bytes, place });
    }
    return;
  }
  const content = await readBlock(block);
  if (content === undefined) return;
  const texts =
    block.kind === 'xmp'
      ? readXmpTimes(content)
      : block.kind === 'iptc'
        ? readIptcTimes(content)
        : [content.toString('latin1').replace(/\0+$/, '')];
  add(
    block.kind,
    texts.map((text) => parseTime(text)).find((time) => time !== undefined),
  );
}

/** The times of an XMP packet, the best first. */
const NAMES: readonly string[] = [
  'http://ns.adobe.com/exif/1.0/ DateTimeOriginal',
  'http://ns.adobe.com/photoshop/1.0/ DateCreated',
  'http://ns.adobe.com/xap/1.0/ CreateDate',
  'http://ns.adobe.com/exif/1.0/ DateTimeDigitized',
  'http://ns.adobe.com/xap/1.0/ ModifyDate',
  'http://ns.adobe.com/tiff/1.0/ DateTime',
];

/**
 * Reads the times of a packet. Each is an attribute or an element. A cut-off packet is read as far as it
 * goes.
 */
function readXmpTimes(packet: Buffer): readonly string[] {
  const found = new Map<string, string>();
  const add = (name: string, value: string) => {
    if (NAMES.includes(name) && !found.has(name)) found.set(name, value);
  };
  const parser = new SaxesParser({ xmlns: true });
  let text = '';
  parser.on('opentag', ({ attributes }) => {
    text = '';
    for (const { uri, local, value } of Object.values(attributes)) add(`${uri} ${local}`, value);
  });
  parser.on('text', (more) => {
    text += more;
  });
  parser.on('closetag', ({ uri, local }) => {
    add(`${uri} ${local}`, text.trim());
    text = '';
  });
  try {
    parser.write(packet.toString('utf8').replace(/^[\0\s\uFEFF]+|\0+$/g, ''));
  } catch {
    // The rest of the packet is damaged or cut off. Uses the times found so far.
  }
  return NAMES.flatMap((name) => found.get(name) ?? []);
}
