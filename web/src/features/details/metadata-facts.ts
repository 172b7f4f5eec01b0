/** The metadata of a file. */
export interface MetadataFacts {
  /** Dimensions of a picture as stored. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
  /** The length of a video in seconds. */
  readonly duration: number | undefined;
  /** When a picture or video was taken: an ISO time, without a zone if the camera did not store one. */
  readonly takenAt: string | undefined;
  readonly camera: string | undefined;
  readonly lens: string | undefined;
  readonly exposure: Exposure | undefined;
  readonly coordinates: Coordinates | undefined;
  /** The type detected from the bytes, regardless of the name. */
  readonly contentType: string | undefined;
  /** The title of the folder link through which a visitor sent the file. */
  readonly linkTitle: string | undefined;
  /** The name that the visitor entered. */
  readonly sender: string | undefined;
  /** Metadata keys that this client does not know. */
  readonly others: readonly (readonly [name: string, text: string])[];
}

/** At least one of the values is known. */
export interface Exposure {
  /** In seconds: `1/250`, or a number such as `2.5`. */
  readonly time: string | number | undefined;
  /** The f-number. */
  readonly aperture: number | undefined;
  readonly iso: number | undefined;
  /** In millimetres. */
  readonly focalLength: number | undefined;
}

/** In degrees; south and west are negative. */
export interface Coordinates {
  readonly latitude: number;
  readonly longitude: number;
}

const PREFIX = 'media:';
/** Known keys. The orientation is listed but not shown, because it only says how to rotate the picture. */
const KNOWN = [
  ...[
    ...['width', 'height', 'orientation', 'takenAt', 'contentType', 'size', 'camera', 'lens'],
    ...['exposureTime', 'aperture', 'iso', 'focalLength', 'latitude', 'longitude', 'duration'],
  ].map((name) => PREFIX + name),
  ...['link:title', 'link:sender'],
];

export function factsOf(metadata: Readonly<Record<string, string>>): MetadataFacts {
  const [width, height] = [metadata[`${PREFIX}width`], metadata[`${PREFIX}height`]].map(Number);
  const takenAt = metadata[`${PREFIX}takenAt`];
  return {
    pixels: width && height ? { width, height } : undefined,
    duration: numberOf(metadata, 'duration'),
    takenAt: takenAt === undefined || Number.isNaN(Date.parse(takenAt)) ? undefined : takenAt,
    camera: metadata[`${PREFIX}camera`],
    lens: metadata[`${PREFIX}lens`],
    exposure: exposureOf(metadata),
    coordinates: coordinatesOf(metadata),
    contentType: metadata[`${PREFIX}contentType`],
    linkTitle: metadata['link:title'],
    sender: metadata['link:sender'],
    others: Object.entries(metadata)
      .filter(([name]) => !KNOWN.includes(name))
      .map(([name, text]) => [name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, text]),
  };
}

/** From this exposure time on, it is written in seconds instead of as a fraction, as on cameras. */
const LONG_SECONDS = 0.3;

function exposureOf(metadata: Readonly<Record<string, string>>): Exposure | undefined {
  const [seconds, aperture, iso, focalLength] = ['exposureTime', 'aperture', 'iso', 'focalLength'].map(
    (name) => numberOf(metadata, name),
  );
  const time = seconds === undefined || seconds >= LONG_SECONDS ? seconds : `1/${Math.round(1 / seconds)}`;
  const exposure = { time, aperture, iso, focalLength };
  return Object.values(exposure).every((value) => value === undefined) ? undefined : exposure;
}

function coordinatesOf(metadata: Readonly<Record<string, string>>): Coordinates | undefined {
  const [latitude, longitude] = [numberOf(metadata, 'latitude'), numberOf(metadata, 'longitude')];
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

function numberOf(metadata: Readonly<Record<string, string>>, name: string): number | undefined {
  const text = metadata[PREFIX + name];
  const value = Number(text);
  return text === undefined || text === '' || !Number.isFinite(value) ? undefined : value;
}
