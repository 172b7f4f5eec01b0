/** The metadata of a file. */
export interface MetadataFacts {
  /** Dimensions of a picture as stored. */
  readonly pixels: { readonly width: number; readonly height: number } | undefined;
  /** The type according to the bytes, whatever the name says. */
  readonly contentType: string | undefined;
  /** Metadata keys that this client does not know. */
  readonly others: readonly (readonly [name: string, text: string])[];
}

const PREFIX = 'media:';
const KNOWN = ['width', 'height', 'contentType', 'size'].map((name) => PREFIX + name);

export function factsOf(metadata: Readonly<Record<string, string>>): MetadataFacts {
  const [width, height] = [metadata[`${PREFIX}width`], metadata[`${PREFIX}height`]].map(Number);
  return {
    pixels: width && height ? { width, height } : undefined,
    contentType: metadata[`${PREFIX}contentType`],
    others: Object.entries(metadata)
      .filter(([name]) => !KNOWN.includes(name))
      .map(([name, text]) => [name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name, text]),
  };
}
