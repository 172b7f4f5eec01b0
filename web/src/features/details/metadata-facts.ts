/** The metadata of a file. */
export interface MetadataFacts {
  /** Dimensions of a picture as stored. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
  /** When a picture or video was taken: an ISO time, without a zone if the camera did not store one. */
  readonly takenAt: string | undefined;
  /** The type according to the bytes, whatever the name says. */
  readonly contentType: string | undefined;
  /** The title of the folder link through which a visitor sent the file. */
  readonly linkTitle: string | undefined;
  /** The name that the visitor gave. */
  readonly sender: string | undefined;
  /** Metadata keys that this client does not know. */
  readonly others: readonly (readonly [name: string, text: string])[];
}

const PREFIX = 'media:';
/** Known keys; the orientation only says how to turn the picture. */
const KNOWN = [
  ...['width', 'height', 'orientation', 'takenAt', 'contentType', 'size'].map((name) => PREFIX + name),
  ...['link:title', 'link:sender'],
];

export function factsOf(metadata: Readonly<Record<string, string>>): MetadataFacts {
  const [width, height] = [metadata[`${PREFIX}width`], metadata[`${PREFIX}height`]].map(Number);
  const takenAt = metadata[`${PREFIX}takenAt`];
  return {
    pixels: width && height ? { width, height } : undefined,
    takenAt: takenAt === undefined || Number.isNaN(Date.parse(takenAt)) ? undefined : takenAt,
    contentType: metadata[`${PREFIX}contentType`],
    linkTitle: metadata['link:title'],
    sender: metadata['link:sender'],
    others: Object.entries(metadata)
      .filter(([name]) => !KNOWN.includes(name))
      .map(([name, text]) => [name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, text]),
  };
}
