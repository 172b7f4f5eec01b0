import type { RangedBytes } from '../ranged-bytes.ts';

/** The part of a file that has directories of tags, like TIFF. Positions inside count from its beginning. */
export interface TiffPlace {
  readonly start: number;
  readonly length: number;
}

/**
 * The number after the byte order in TIFF, in Panasonic's raw files, and in both kinds of Olympus' raw files.
 */
const MAGIC = [42, 0x55, 0x4f52, 0x5352];

const BYTE = 1;
const TEXT = 2;
const SHORT = 3;
const LONG = 4;
const FRACTION = 5;
const UNDEFINED = 7;
const DIRECTORY = 13;
const UTF8 = 129;

/** The number of bytes per value of each type. */
const WIDTHS: Readonly<Record<number, number>> = {
  [BYTE]: 1,
  [TEXT]: 1,
  [SHORT]: 2,
  [LONG]: 4,
  [FRACTION]: 8,
  [UNDEFINED]: 1,
  [DIRECTORY]: 4,
  [UTF8]: 1,
};
const NUMBERS = [BYTE, SHORT, LONG, DIRECTORY];
/** Cameras use any of these types for texts. */
const TEXTS = [BYTE, TEXT, UNDEFINED, UTF8];

const TAG_BYTES = 12;
/** More tags than any camera writes into one directory. */
const MAX_TAGS = 512;

interface Tag {
  readonly type: number;
  readonly count: number;
  /** The position of the values in the block. */
  readonly at: number;
}

export class TiffBlock {
  readonly #bytes: RangedBytes;
  readonly place: TiffPlace;
  readonly isLittle: boolean;
  readonly firstDirectory: number;

  private constructor(bytes: RangedBytes, place: TiffPlace, head: DataView) {
    this.#bytes = bytes;
    this.place = place;
    this.isLittle = head.getUint8(0) === 0x49;
    this.firstDirectory = head.getUint32(4, this.isLittle);
  }

  /** Returns undefined for bytes that are not such a block. */
  static async open(bytes: RangedBytes, place: TiffPlace): Promise<TiffBlock | undefined> {
    const head = await readView(bytes, place, 0, 8);
    if (head === undefined || head.byteLength < 8) return undefined;
    const order = head.getUint16(0);
    const isBlock =
      (order === 0x4949 || order === 0x4d4d) && MAGIC.includes(head.getUint16(2, order === 0x4949));
    return isBlock ? new TiffBlock(bytes, place, head) : undefined;
  }

  async readDirectory(at: number | undefined): Promise<Directory | undefined> {
    if (at === undefined) return undefined;
    const view = await this.read(at, 2 + MAX_TAGS * TAG_BYTES + 4);
    if (view === undefined || view.byteLength < 2) return undefined;
    const declared = view.getUint16(0, this.isLittle);
    const count = Math.min(declared, MAX_TAGS, Math.floor((view.byteLength - 2) / TAG_BYTES));
    const tags = new Map<number, Tag>();
    for (let index = 0; index < count; index += 1) {
      const tag = 2 + index * TAG_BYTES;
      const type = view.getUint16(tag + 2, this.isLittle);
      const values = view.getUint32(tag + 4, this.isLittle);
      // Values of up to four bytes are stored in the directory itself.
      const isInside = values * (WIDTHS[type] ?? 8) <= 4;
      const place = isInside ? at + tag + 8 : view.getUint32(tag + 8, this.isLittle);
      const id = view.getUint16(tag, this.isLittle);
      if (!tags.has(id)) tags.set(id, { type, count: values, at: place });
    }
    const end = 2 + declared * TAG_BYTES;
    const next = end + 4 <= view.byteLength ? view.getUint32(end, this.isLittle) : 0;
    return new Directory(this, tags, next === 0 ? undefined : next);
  }

  /** Returns fewer bytes at the end of the block, and undefined once the limit for reads is reached. */
  read(at: number, length: number): Promise<DataView | undefined> {
    return readView(this.#bytes, this.place, at, length);
  }
}

export class Directory {
  readonly #block: TiffBlock;
  readonly #tags: ReadonlyMap<number, Tag>;
  /** The position of the directory after this one. */
  readonly next: number | undefined;

  constructor(block: TiffBlock, tags: ReadonlyMap<number, Tag>, next: number | undefined) {
    this.#block = block;
    this.#tags = tags;
    this.next = next;
  }

  /** The first number of the tag. */
  async findNumber(tag: number): Promise<number | undefined> {
    const [first] = await this.findNumbers(tag, 1);
    return first;
  }

  /** At most `limit` of the tag's numbers, of any width. */
  async findNumbers(tag: number, limit: number): Promise<readonly number[]> {
    const found = this.#tags.get(tag);
    if (found === undefined || !NUMBERS.includes(found.type)) return [];
    const width = WIDTHS[found.type] ?? 1;
    const view = await this.#block.read(found.at, Math.min(found.count, limit) * width);
    const count = Math.floor((view?.byteLength ?? 0) / width);
    return Array.from({ length: count }, (_, index) => {
      if (width === 1) return view?.getUint8(index) ?? 0;
      const at = index * width;
      return (
        (width === 2
          ? view?.getUint16(at, this.#block.isLittle)
          : view?.getUint32(at, this.#block.isLittle)) ?? 0
      );
    });
  }

  /** Exactly `count` numbers, each stored as a fraction. */
  async readFractions(tag: number, count: number): Promise<readonly number[] | undefined> {
    const found = this.#tags.get(tag);
    if (found?.type !== FRACTION || found.count !== count) return undefined;
    const view = await this.#block.read(found.at, count * 8);
    if (view === undefined || view.byteLength < count * 8) return undefined;
    const { isLittle } = this.#block;
    return Array.from(
      { length: count },
      (_, index) => view.getUint32(index * 8, isLittle) / view.getUint32(index * 8 + 4, isLittle),
    );
  }

  /** The text of the tag, at most `maxBytes`, without the zero and the blanks at its end. */
  async readText(tag: number, maxBytes: number): Promise<string | undefined> {
    const found = this.#tags.get(tag);
    if (found === undefined || !TEXTS.includes(found.type)) return undefined;
    const length = Math.min(found.count, maxBytes);
    const view = await this.#block.read(found.at, length);
    if (view === undefined || view.byteLength < length) return undefined;
    const text = Buffer.from(view.buffer, view.byteOffset, view.byteLength).toString('latin1');
    return text.split('\0', 1)[0]?.trim();
  }

  /** The position of the tag's bytes in the file. */
  findPlace(tag: number): TiffPlace | undefined {
    const found = this.#tags.get(tag);
    if (found === undefined) return undefined;
    const { start, length } = this.#block.place;
    const bytes = found.count * (WIDTHS[found.type] ?? 1);
    return { start: start + found.at, length: Math.max(0, Math.min(bytes, length - found.at)) };
  }
}

async function readView(
  bytes: RangedBytes,
  { start, length }: TiffPlace,
  at: number,
  count: number,
): Promise<DataView | undefined> {
  const found = await bytes.read(start + at, Math.max(0, Math.min(count, length - at)));
  return found && new DataView(found.buffer, found.byteOffset, found.byteLength);
}
