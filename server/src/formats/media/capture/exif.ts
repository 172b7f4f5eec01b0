import type { RangedBytes } from '../../ranged-bytes.ts';
import { MAX_ZONE_HOURS, toRealTime } from './real-time.ts';

/** What a camera recorded about a picture or video. */
export interface Capture {
  /**
   * The local time at which it was taken, in ISO-8601 with seconds. It has a zone only if the camera recorded
   * one.
   */
  readonly takenAt: string | undefined;
  /** From 1 to 8, as in EXIF: how the stored pixels must be turned and mirrored. */
  readonly orientation: number | undefined;
}

/** The bytes of an EXIF block in a file. All places inside the block count from its beginning. */
export interface ExifPlace {
  readonly start: number;
  readonly length: number;
}

const ORIENTATION = 0x0112;
const EXIF_DIRECTORY = 0x8769;
const TIME_TAKEN = 0x9003;
const ZONE_TAKEN = 0x9011;

const TEXT = 2;
const SHORT = 3;
const LONG = 4;

const TAG_BYTES = 12;
/** More than cameras write into one directory. */
const MAX_TAGS = 512;
/** The texts that are read are shorter. */
const MAX_TEXT_BYTES = 64;

/** A block has the form of a TIFF file, with a directory of tags that refers to a second one. */
export async function readExif(bytes: RangedBytes, place: ExifPlace): Promise<Capture> {
  const block = await ExifBlock.open(bytes, place);
  const main = await block?.readDirectory(block.firstDirectory);
  const orientation = main?.findNumber(ORIENTATION, SHORT);
  const details = await block?.readDirectory(main?.findNumber(EXIF_DIRECTORY, LONG));
  const time = toTime(await details?.readText(TIME_TAKEN));
  const zone = time === undefined ? '' : toZone(await details?.readText(ZONE_TAKEN));
  return {
    takenAt: time && `${time}${zone}`,
    orientation: orientation !== undefined && orientation >= 1 && orientation <= 8 ? orientation : undefined,
  };
}

/** Reads `2026:07:06 07:04:03`. */
function toTime(text: string | undefined): string | undefined {
  const found = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text ?? '');
  if (found === null) return undefined;
  const [, year, month, day, hours, minutes, seconds] = found;
  return toRealTime(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}`);
}

/** Reads `+02:00`; gives nothing for anything else. */
function toZone(text: string | undefined): string {
  const found = /^[+-](\d\d):([0-5]\d)$/.exec(text ?? '');
  return found !== null && Number(found[1]) <= MAX_ZONE_HOURS ? found[0] : '';
}

type Tags = ReadonlyMap<number, { readonly type: number; readonly count: number; readonly at: number }>;

class ExifBlock {
  readonly #bytes: RangedBytes;
  readonly #place: ExifPlace;
  readonly #isLittle: boolean;
  readonly firstDirectory: number;

  private constructor(bytes: RangedBytes, place: ExifPlace, head: DataView) {
    this.#bytes = bytes;
    this.#place = place;
    this.#isLittle = head.getUint8(0) === 0x49;
    this.firstDirectory = head.getUint32(4, this.#isLittle);
  }

  /** Gives undefined for bytes that are no EXIF block. */
  static async open(bytes: RangedBytes, place: ExifPlace): Promise<ExifBlock | undefined> {
    const head = await readView(bytes, place, 0, 8);
    if (head === undefined || head.byteLength < 8) return undefined;
    const order = head.getUint16(0);
    const isBlock = (order === 0x4949 || order === 0x4d4d) && head.getUint16(2, order === 0x4949) === 42;
    return isBlock ? new ExifBlock(bytes, place, head) : undefined;
  }

  async readDirectory(at: number | undefined): Promise<ExifDirectory | undefined> {
    if (at === undefined) return undefined;
    const view = await this.read(at, 2 + MAX_TAGS * TAG_BYTES);
    if (view === undefined || view.byteLength < 2) return undefined;
    const available = Math.floor((view.byteLength - 2) / TAG_BYTES);
    const tags = new Map<number, { type: number; count: number; at: number }>();
    for (let index = 0; index < Math.min(this.number(view, 0, SHORT), available); index += 1) {
      const tag = 2 + index * TAG_BYTES;
      const found = { type: this.number(view, tag + 2, SHORT), count: this.number(view, tag + 4, LONG) };
      tags.set(this.number(view, tag, SHORT), { ...found, at: tag + 8 });
    }
    return new ExifDirectory(this, { view, at }, tags);
  }

  /** Gives fewer bytes at the end of the block, and undefined if no more of the file is read. */
  read(at: number, length: number): Promise<DataView | undefined> {
    return readView(this.#bytes, this.#place, at, length);
  }

  number(view: DataView, at: number, type: typeof SHORT | typeof LONG): number {
    return type === SHORT ? view.getUint16(at, this.#isLittle) : view.getUint32(at, this.#isLittle);
  }
}

class ExifDirectory {
  readonly #block: ExifBlock;
  readonly #tags: Tags;
  readonly #view: DataView;
  readonly #at: number;

  constructor(block: ExifBlock, { view, at }: { view: DataView; at: number }, tags: Tags) {
    this.#block = block;
    this.#tags = tags;
    this.#view = view;
    this.#at = at;
  }

  findNumber(tag: number, type: typeof SHORT | typeof LONG): number | undefined {
    const found = this.#tags.get(tag);
    return found?.type === type && found.count === 1
      ? this.#block.number(this.#view, found.at, type)
      : undefined;
  }

  /** Without the zero and the blanks at its end. */
  async readText(tag: number): Promise<string | undefined> {
    const found = this.#tags.get(tag);
    if (found?.type !== TEXT || found.count > MAX_TEXT_BYTES) return undefined;
    // Up to four bytes are in the directory itself.
    const at = found.count <= 4 ? this.#at + found.at : this.#block.number(this.#view, found.at, LONG);
    const view = await this.#block.read(at, found.count);
    if (view === undefined || view.byteLength < found.count) return undefined;
    const text = Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('latin1');
    return text.split('\0', 1)[0]?.trim();
  }
}

async function readView(
  bytes: RangedBytes,
  { start, length }: ExifPlace,
  at: number,
  count: number,
): Promise<DataView | undefined> {
  const found = await bytes.read(start + at, Math.max(0, Math.min(count, length - at)));
  return found && new DataView(found.buffer, found.byteOffset, found.byteLength);
}
