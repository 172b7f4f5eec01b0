import type { RangedBytes } from '../../ranged-bytes.ts';
import { type Directory, TiffBlock, type TiffPlace } from '../tiff-block.ts';
import { type CameraSettings, readCameraSettings } from './exif-settings.ts';
import { MAX_TIME_TEXT, parseTime } from './real-time.ts';

/** What an EXIF block, or a picture in the same format (TIFF), says about the capture. */
interface ExifValues {
  readonly orientation: number | undefined;
  /** The best of the times from the camera's clock, in ISO-8601. */
  readonly takenAt: string | undefined;
  /** The time of the satellites, in UTC. */
  readonly gpsTime: string | undefined;
  readonly settings: CameraSettings;
  readonly xmp: TiffPlace | undefined;
  readonly iptc: TiffPlace | undefined;
}

const ORIENTATION = 0x0112;
const EXIF_DIRECTORY = 0x8769;
const GPS_DIRECTORY = 0x8825;
const XMP = 0x02bc;
const IPTC = 0x83bb;

const ZONE = 0x9010;
/** The tags for when the picture was taken, digitised and changed, each with the tag of its zone. */
const TIMES: readonly (readonly [time: number, zone: number])[] = [
  [0x9003, 0x9011],
  [0x9004, 0x9012],
  [0x0132, ZONE],
];

const GPS_TIME = 0x0007;
const GPS_DATE = 0x001d;

/** @param place the position of the block; positions inside count from its beginning */
export async function readExif(bytes: RangedBytes, place: TiffPlace): Promise<ExifValues | undefined> {
  const block = await TiffBlock.open(bytes, place);
  const main = await block?.readDirectory(block.firstDirectory);
  if (block === undefined || main === undefined) return undefined;
  const orientation = await main.findNumber(ORIENTATION);
  const details = await block.readDirectory(await main.findNumber(EXIF_DIRECTORY));
  const gps = await block.readDirectory(await main.findNumber(GPS_DIRECTORY));
  return {
    orientation: isOrientation(orientation) ? orientation : undefined,
    takenAt: await findTime([details, main]),
    gpsTime: await findGpsTime(gps),
    settings: await readCameraSettings([details, main], gps),
    xmp: main.findPlace(XMP),
    iptc: main.findPlace(IPTC),
  };
}

function isOrientation(value: number | undefined): boolean {
  return value !== undefined && value >= 1 && value <= 8;
}

/** @param directories those that may have the times: TIFF/EP has them in the first one */
async function findTime(directories: readonly (Directory | undefined)[]): Promise<string | undefined> {
  const read = async (tag: number) => {
    const texts: string[] = [];
    for (const directory of directories) texts.push((await directory?.readText(tag, MAX_TIME_TEXT)) ?? '');
    return texts;
  };
  for (const [tag, zoneTag] of TIMES) {
    for (const text of await read(tag)) {
      if (text === '') continue;
      const zones = [...(await read(zoneTag)), ...(await read(ZONE))];
      const time = parseTime(
        text,
        zones.find((zone) => zone !== ''),
      );
      if (time !== undefined) return time;
    }
  }
  return undefined;
}

async function findGpsTime(gps: Directory | undefined): Promise<string | undefined> {
  const date = await gps?.readText(GPS_DATE, MAX_TIME_TEXT);
  const clock = await gps?.readFractions(GPS_TIME, 3);
  if (date === undefined || clock === undefined) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Math.floor);
  return parseTime(`${date} ${hours}:${minutes}:${seconds}Z`);
}
