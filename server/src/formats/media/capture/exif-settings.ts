import type { Directory } from '../tiff-block.ts';

/** What a camera recorded about itself, the exposure and the place. Unknown values are left out. */
export interface CameraSettings {
  readonly camera?: string;
  readonly lens?: string;
  /** In seconds. */
  readonly exposureTime?: number;
  /** The f-number. */
  readonly aperture?: number;
  readonly iso?: number;
  /** In millimetres. */
  readonly focalLength?: number;
  /** In degrees; south is negative. */
  readonly latitude?: number;
  /** In degrees; west is negative. */
  readonly longitude?: number;
}

const MAKE = 0x010f;
const MODEL = 0x0110;
const LENS_MODEL = 0xa434;
const EXPOSURE_TIME = 0x829a;
const F_NUMBER = 0x829d;
const FOCAL_LENGTH = 0x920a;
/** The first tag has 16 bits. Its largest value means that the sensitivity is in one of the other tags. */
const SENSITIVITIES = [0x8827, 0x8833, 0x8831, 0x8832];
const SENSITIVITY_ELSEWHERE = 65_535;

/** Longer than the name of any camera or lens. */
const MAX_NAME_BYTES = 128;
/** Smaller values are invalid. As an exposure this is a microsecond, shorter than any real one. */
const MIN_VALUE = 0.000_001;
const MAX_EXPOSURE_SECONDS = 86_400;
const MAX_APERTURE = 1_000;
const MAX_FOCAL_LENGTH_MM = 100_000;
const MAX_ISO = 100_000_000;

/** @param directories those that may have the values: TIFF/EP has them in the first one */
export async function readCameraSettings(
  directories: readonly (Directory | undefined)[],
  gps: Directory | undefined,
): Promise<CameraSettings> {
  const first = async <T>(read: (from: Directory) => Promise<T | undefined>): Promise<T | undefined> => {
    for (const directory of directories) {
      const found = directory && (await read(directory));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const [make, model, lens] = [
    await first((from) => readName(from, MAKE)),
    await first((from) => readName(from, MODEL)),
    await first((from) => readName(from, LENS_MODEL)),
  ];
  const fractionOf = (tag: number, most: number) => first((from) => readFraction(from, tag, most));
  return withoutUnknown({
    camera: toCamera(make, model),
    lens,
    exposureTime: await fractionOf(EXPOSURE_TIME, MAX_EXPOSURE_SECONDS),
    aperture: await fractionOf(F_NUMBER, MAX_APERTURE),
    iso: await first(readSensitivity),
    focalLength: await fractionOf(FOCAL_LENGTH, MAX_FOCAL_LENGTH_MM),
    ...(await readPlace(gps)),
  });
}

async function readName(from: Directory, tag: number): Promise<string | undefined> {
  const text = (await from.readText(tag, MAX_NAME_BYTES)) ?? '';
  // Cameras that do not know their lens fill its name with blanks or dashes.
  const name = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(name) ? name : undefined;
}

/** Most makers repeat their name in the model: "NIKON CORPORATION", "NIKON D750". */
function toCamera(make: string | undefined, model: string | undefined): string | undefined {
  if (make === undefined || model === undefined) return model ?? make;
  const [brand = ''] = make.toLowerCase().split(' ');
  return model.toLowerCase().startsWith(brand) ? model : `${make} ${model}`;
}

async function readFraction(from: Directory, tag: number, most: number): Promise<number | undefined> {
  const [value = 0] = (await from.readFractions(tag, 1)) ?? [];
  return value >= MIN_VALUE && value <= most ? Number(value.toPrecision(6)) : undefined;
}

async function readSensitivity(from: Directory): Promise<number | undefined> {
  for (const tag of SENSITIVITIES) {
    const value = (await from.findNumber(tag)) ?? 0;
    if (value > 0 && value <= MAX_ISO && value !== SENSITIVITY_ELSEWHERE) return value;
  }
  return undefined;
}

const LATITUDE = { tag: 0x0002, direction: 0x0001, plus: 'N', minus: 'S', most: 90 };
const LONGITUDE = { tag: 0x0004, direction: 0x0003, plus: 'E', minus: 'W', most: 180 };

async function readPlace(gps: Directory | undefined): Promise<Partial<CameraSettings>> {
  const latitude = gps && (await readDegrees(gps, LATITUDE));
  const longitude = gps && (await readDegrees(gps, LONGITUDE));
  if (latitude === undefined || longitude === undefined) return {};
  // Receivers that have no position yet write zeros.
  return latitude === 0 && longitude === 0 ? {} : { latitude, longitude };
}

async function readDegrees(
  gps: Directory,
  { tag, direction, plus, minus, most }: typeof LATITUDE,
): Promise<number | undefined> {
  const side = await gps.readText(direction, 2);
  const [degrees = Number.NaN, minutes = 0, seconds = 0] = (await gps.readFractions(tag, 3)) ?? [];
  const value = degrees + minutes / 60 + seconds / 3_600;
  // Six decimals are about 10 cm. A centimetre would need seven, but no camera is that accurate.
  if (!(value <= most) || (side !== plus && side !== minus)) return undefined;
  const rounded = Number(value.toFixed(6));
  return side === minus && rounded !== 0 ? -rounded : rounded;
}

function withoutUnknown(
  settings: {
    readonly [Name in keyof CameraSettings]: CameraSettings[Name] | undefined;
  },
): CameraSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}
