/** The pixels of a decoded picture, in RGB or RGBA. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 3 | 4;
  /** The ICC profile of the colours; undefined for sRGB. */
  readonly profile: Uint8Array | undefined;
  readonly rowOf: (row: number) => Uint8Array;
}

const SHORT = 3;
const LONG = 4;
const UNDEFINED = 7;

/** Readers take one strip at a time. */
const STRIP_ROWS = 16;

type Tag = readonly [id: number, type: typeof SHORT | typeof LONG, ...values: number[]];

/**
 * Writes an uncompressed TIFF (6.0, section 6), a format that carries pixels together with their colour
 * profile.
 */
export function toTiff({ width, height, channels, profile, rowOf }: Pixels): Uint8Array<ArrayBuffer> {
  const rowBytes = width * channels;
  const stripCount = Math.ceil(height / STRIP_ROWS);
  const strips = Array.from({ length: stripCount }, (_, index) => index * STRIP_ROWS);
  const build = (pixelsAt: number) =>
    buildHead(
      [
        [256, LONG, width],
        [257, LONG, height],
        [258, SHORT, ...Array<number>(channels).fill(8)],
        [259, SHORT, 1],
        [262, SHORT, 2],
        [273, LONG, ...strips.map((row) => pixelsAt + row * rowBytes)],
        [277, SHORT, channels],
        [278, LONG, STRIP_ROWS],
        [279, LONG, ...strips.map((row) => Math.min(STRIP_ROWS, height - row) * rowBytes)],
        // The fourth channel is transparency.
        ...(channels === 4 ? [[338, SHORT, 2] as const] : []),
      ],
      profile,
    );
  const head = build(build(0).length);
  const file = Buffer.allocUnsafeSlow(head.length + height * rowBytes);
  head.copy(file);
  for (let row = 0; row < height; row += 1) file.set(rowOf(row), head.length + row * rowBytes);
  return file;
}

function buildHead(tags: readonly Tag[], profile: Uint8Array | undefined): Buffer {
  const fields = [
    ...tags.map(([id, type, ...values]) => ({
      id,
      type,
      count: values.length,
      content: encode(type, values),
    })),
    ...(profile === undefined
      ? []
      : [{ id: 34_675, type: UNDEFINED, count: profile.length, content: Buffer.from(profile) }]),
  ];
  const directory = Buffer.alloc(8 + 2 + fields.length * 12 + 4);
  directory.write('II*\0\x08');
  directory.writeUInt16LE(fields.length, 8);
  const outside: Buffer[] = [];
  let end = directory.length;
  for (const [index, { id, type, count, content }] of fields.entries()) {
    const at = 10 + index * 12;
    directory.writeUInt16LE(id, at);
    directory.writeUInt16LE(type, at + 2);
    directory.writeUInt32LE(count, at + 4);
    if (content.length <= 4) content.copy(directory, at + 8);
    else {
      directory.writeUInt32LE(end, at + 8);
      // Every value must begin at an even offset.
      outside.push(content, Buffer.alloc(content.length % 2));
      end += content.length + (content.length % 2);
    }
  }
  return Buffer.concat([directory, ...outside]);
}

function encode(type: typeof SHORT | typeof LONG, values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * (type === SHORT ? 2 : 4));
  for (const [index, value] of values.entries()) {
    if (type === SHORT) bytes.writeUInt16LE(value, index * 2);
    else bytes.writeUInt32LE(value, index * 4);
  }
  return bytes;
}
