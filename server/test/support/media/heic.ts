import { box } from './media-files.ts';

/** The parameters and the picture that an HEVC encoder made of four quarters, 400 pixels wide and 200 high. */
const PARAMETERS = Buffer.from(
  'AQQIAAAAn6gAAAAAPPAA/P34+AAADwOgAAEAF0ABDAH//wQIAAADAJ+oAAADAAA8ugJAoQABACpCAQEECAAAAwCfqAAAAwAAPKAM' +
    'iAyWW6kkIRLm4CGgIIAAAAMAgAAADISiAAEAB0QBwXawYkA=',
  'base64',
);
const PICTURE = Buffer.from(
  'AAAAkigBrUh1EQXAyCbv/5TT/3MyHKBxjYZuOK6Y30Eu0N/wj6ZL8YQlEpKJPcgAAAMACDgH0q0LpUAT7nbmEdfIbtNGEcldIPtXF2nf' +
    'oAZwJdFWTp2dM9QAkUfS6XnsXAnpJ+uIfl45vJT4wAnkSFPu6GoAAAMACriAAAADAp3kQsAAE3AAAAMAAAMAAAMB9MAAABgQ',
  'base64',
);

interface HeicOptions {
  readonly brands?: readonly string[];
  /** The declared size, if it differs from that of the pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Quarter turns counter-clockwise to show it upright. */
  readonly turns?: number;
  /** Which axis it is mirrored at: 0 exchanges top and bottom, 1 left and right. */
  readonly mirrorAxis?: 0 | 1;
  /** An EXIF block. */
  readonly exif?: Buffer;
  /** An XMP packet. */
  readonly xmp?: Buffer;
  /** An ICC profile. */
  readonly profile?: Buffer;
  /** Whether a damaged picture that is not the primary one comes first. */
  readonly hasOther?: boolean;
  /** Whether the picture is only the thumbnail of a damaged primary picture. */
  readonly isThumbnail?: boolean;
}

/** A HEIC as phones write it, with the picture and the given properties. */
export function makeHeic(options: HeicOptions = {}): Buffer<ArrayBuffer> {
  const { brands = ['heic', 'mif1', 'heic'], isThumbnail = false } = options;
  const items = itemsOf(options);
  const infe = items.map(({ id, type }) =>
    box('infe', Buffer.from([2, 0, 0, 0, 0, id, 0, 0]), Buffer.from(`${type}\0`)),
  );
  const build = (start: number) => {
    let at = start;
    const places = items.map(({ id, content }) => {
      at += content.length;
      return Buffer.concat([short(id), short(0), short(1), long(at - content.length), long(content.length)]);
    });
    return Buffer.concat([
      box('ftyp', Buffer.from(`${brands[0]}\0\0\0\0${brands.slice(1).join('')}`, 'latin1')),
      box(
        'meta',
        Buffer.alloc(4),
        box('hdlr', Buffer.alloc(8), Buffer.from('pict'), Buffer.alloc(13)),
        box('pitm', Buffer.alloc(4), short(isThumbnail ? OTHER_ID : 1)),
        box('iloc', Buffer.from([0, 0, 0, 0, 0x44, 0]), short(items.length), ...places),
        box('iinf', Buffer.alloc(4), short(items.length), ...infe),
        ...(isThumbnail
          ? [box('iref', Buffer.alloc(4), box('thmb', short(1), short(1), short(OTHER_ID)))]
          : []),
        makeProperties(options, items),
      ),
    ]);
  };
  const start = build(0).length + 8;
  return Buffer.concat([build(start), box('mdat', ...items.map(({ content }) => content))]);
}

const OTHER_ID = 9;

interface Item {
  readonly id: number;
  readonly type: string;
  readonly content: Buffer;
}

function itemsOf({ exif, xmp, hasOther, isThumbnail }: HeicOptions): readonly Item[] {
  const block = exif && Buffer.concat([long(6), Buffer.from('Exif\0\0', 'latin1'), exif]);
  return [
    ...(hasOther || isThumbnail ? [{ id: OTHER_ID, type: 'hvc1', content: Buffer.alloc(40, 0x55) }] : []),
    { id: 1, type: 'hvc1', content: PICTURE },
    ...(block === undefined ? [] : [{ id: 2, type: 'Exif', content: block }]),
    ...(xmp === undefined ? [] : [{ id: 3, type: 'mime\0application/rdf+xml', content: xmp }]),
  ];
}

/** The property boxes. Each picture has all of them. */
function makeProperties(options: HeicOptions, items: readonly Item[]): Buffer {
  const { width = 400, height = 200, turns, mirrorAxis, profile } = options;
  const properties = [
    box('hvcC', PARAMETERS),
    box('ispe', Buffer.alloc(4), long(width), long(height)),
    ...(profile === undefined ? [] : [box('colr', Buffer.from('prof'), profile)]),
    ...(turns === undefined ? [] : [box('irot', Buffer.from([turns]))]),
    ...(mirrorAxis === undefined ? [] : [box('imir', Buffer.from([mirrorAxis]))]),
  ];
  // The highest bit says that a property must not be ignored.
  const associations = Buffer.from([properties.length, ...properties.map((_, index) => 0x80 | (index + 1))]);
  const pictures = items
    .filter(({ type }) => type === 'hvc1')
    .map(({ id }) => Buffer.concat([short(id), associations]));
  const ipma = box('ipma', Buffer.alloc(4), long(pictures.length), ...pictures);
  return box('iprp', box('ipco', ...properties), ipma);
}

function short(value: number): Buffer {
  return Buffer.from([value >> 8, value & 255]);
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
