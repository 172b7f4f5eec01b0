import { fillLines, type LineSizes, MAX_LAST_GROWTH } from './justify.ts';

/** Pictures under one heading, such as those of a day. */
export interface PictureGroup {
  readonly name: string;
  readonly count: number;
}

/** The pictures of a group in a line. Groups with few pictures share a line. */
interface GroupBlock {
  readonly name: string;
  /** The index of its first picture. */
  readonly first: number;
  readonly count: number;
  readonly left: number;
  /** The width of the heading. Its pictures may be narrower. */
  readonly width: number;
}

/** A line of headings, or a line of pictures. Lengths in pixels. */
export interface PictureLine {
  readonly top: number;
  readonly height: number;
  /** The index of its first picture. */
  readonly first: number;
  /** The number of pictures in the line; 0 for headings. */
  readonly count: number;
  /** The groups of the line from left to right; at least one. */
  readonly blocks: readonly [GroupBlock, ...GroupBlock[]];
}

export interface PictureLines {
  readonly lines: readonly PictureLine[];
  readonly height: number;
  /** The left edge and the width of each picture in its line. */
  readonly lefts: Float32Array;
  readonly widths: Float32Array;
  /** The index of the first picture of each group. */
  readonly firsts: ReadonlyMap<string, number>;
  /** The number of pictures in the longest line. */
  readonly columns: number;
}

export interface PictureSizes extends LineSizes {
  /** The height of a line of headings; 0 for none. */
  readonly headHeight: number;
  /** The width that a group's heading needs. */
  readonly headWidth: (name: string) => number;
  /** Groups share a line only with those of the same section. Each section begins a new line. */
  readonly sectionOf: (name: string) => string;
}

/** The free space between two groups in a line, in addition to the gap. */
const GROUP_GAP_PX = 12;

/** Positions all pictures in lines of about the same height, with their true proportions. */
export function layOutPictures(
  groups: readonly PictureGroup[],
  ratioAt: (index: number) => number,
  sizes: PictureSizes,
): PictureLines {
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const layout = new LayoutBuilder(total, ratioAt, sizes);
  let [first, section] = [0, undefined as string | undefined];
  for (const group of groups) {
    if (sizes.sectionOf(group.name) !== section) layout.endLine();
    section = sizes.sectionOf(group.name);
    layout.add(group, first);
    first += group.count;
  }
  layout.endLine();
  return layout;
}

/** A group that fits into one line. */
interface SmallGroup {
  readonly name: string;
  readonly first: number;
  readonly count: number;
  readonly ratios: number;
  readonly headWidth: number;
}

class LayoutBuilder implements PictureLines {
  readonly lines: PictureLine[] = [];
  readonly lefts: Float32Array;
  readonly widths: Float32Array;
  readonly firsts = new Map<string, number>();
  height = 0;
  columns = 1;
  readonly #ratioAt: (index: number) => number;
  readonly #sizes: PictureSizes;
  /** Groups that will share the next line. */
  #pending: SmallGroup[] = [];
  #pendingWidth = 0;

  constructor(total: number, ratioAt: (index: number) => number, sizes: PictureSizes) {
    this.lefts = new Float32Array(total);
    this.widths = new Float32Array(total);
    this.#ratioAt = ratioAt;
    this.#sizes = sizes;
  }

  add({ name, count }: PictureGroup, first: number): void {
    this.firsts.set(name, first);
    const { width, height, gap } = this.#sizes;
    let ratios = 0;
    for (let index = first; index < first + count && ratios * height <= width; index += 1)
      ratios += this.#ratioAt(index);
    const headWidth = Math.min(width, this.#sizes.headWidth(name));
    const group = { name, first, count, ratios, headWidth };
    const ownWidth = this.#widthOf(group, height);
    if (ownWidth > width) {
      this.endLine();
      this.#addLong(group);
      return;
    }
    const before = this.#pending.length === 0 ? 0 : this.#pendingWidth + gap + GROUP_GAP_PX;
    if (before + ownWidth > width) this.endLine();
    this.#pendingWidth = this.#pending.length === 0 ? ownWidth : before + ownWidth;
    this.#pending.push(group);
  }

  /** Adds the line of the groups that were waiting for more. */
  endLine(): void {
    const [head, ...others] = this.#pending;
    if (head === undefined) return;
    this.#pending = [];
    const { height, gap } = this.#sizes;
    const groups = [head, ...others] as const;
    // Rounded down, so no picture ends beyond the edge.
    const lineHeight = Math.max(1, Math.floor(height * this.#growthOf(groups)));
    let left = 0;
    const toBlock = (group: SmallGroup): GroupBlock => {
      const { name, first, count } = group;
      this.#place(first, count, left, lineHeight);
      const block = { name, first, count, left, width: Math.round(this.#widthOf(group, lineHeight)) };
      left += block.width + gap + GROUP_GAP_PX;
      return block;
    };
    const blocks = [toBlock(head), ...others.map(toBlock)] as const;
    this.#addHeads(head.first, blocks);
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    this.#addLine({ height: lineHeight, first: head.first, count, blocks });
  }

  /** Adds a group that needs several lines. */
  #addLong({ name, first, count }: SmallGroup): void {
    const { width, gap } = this.#sizes;
    const block = { name, first, count, left: 0, width };
    this.#addHeads(first, [block]);
    for (const line of fillLines({ first, count }, this.#ratioAt, this.#sizes)) {
      const height = Math.max(1, Math.round(line.height));
      this.#place(line.first, line.count, 0, height);
      const last = line.first + line.count - 1;
      const end = (this.lefts[last] ?? 0) + (this.widths[last] ?? 0);
      // The height is a whole number of pixels, so the line may end a few pixels too early or too late.
      if (Math.abs(width - end) <= line.count * gap + line.count) this.#stretch(line, end);
      const inLine = { ...block, first: line.first, count: line.count };
      this.#addLine({ height, first: line.first, count: line.count, blocks: [inLine] });
    }
  }

  #addHeads(first: number, blocks: PictureLine['blocks']): void {
    const { headHeight } = this.#sizes;
    if (headHeight === 0) return;
    this.lines.push({ top: this.height, height: headHeight, first, count: 0, blocks });
    this.height += headHeight;
  }

  #addLine(line: Omit<PictureLine, 'top'>): void {
    this.lines.push({ ...line, top: this.height });
    this.height += line.height + this.#sizes.gap;
    this.columns = Math.max(this.columns, line.count);
  }

  #place(first: number, count: number, start: number, height: number): void {
    let left = start;
    for (let index = first; index < first + count; index += 1) {
      const width = Math.max(1, Math.round(this.#ratioAt(index) * height));
      this.lefts[index] = left;
      this.widths[index] = width;
      left += width + this.#sizes.gap;
    }
  }

  /** Spreads the missing or superfluous pixels over the pictures of a line that should end at the edge. */
  #stretch({ first, count }: { readonly first: number; readonly count: number }, end: number): void {
    const missing = this.#sizes.width - end;
    for (let step = 0; step < count; step += 1) {
      const [from, to] = [Math.round((missing * step) / count), Math.round((missing * (step + 1)) / count)];
      this.lefts[first + step] = (this.lefts[first + step] ?? 0) + from;
      this.widths[first + step] = Math.max(1, (this.widths[first + step] ?? 0) + to - from);
    }
  }

  #widthOf({ ratios, count, headWidth }: SmallGroup, height: number): number {
    return Math.max(headWidth, ratios * height + (count - 1) * this.#sizes.gap);
  }

  /** How much a line of small groups grows, so it reaches the edge if it almost does. */
  #growthOf(groups: readonly SmallGroup[]): number {
    const { width, height, gap } = this.#sizes;
    const fixed = groups.filter((group) => this.#widthOf(group, height) === group.headWidth);
    const growing = groups.filter((group) => !fixed.includes(group));
    const ratios = growing.reduce((sum, group) => sum + group.ratios, 0);
    if (ratios === 0) return 1;
    const gaps =
      (groups.length - 1) * (gap + GROUP_GAP_PX) +
      growing.reduce((sum, { count }) => sum + (count - 1) * gap, 0);
    const heads = fixed.reduce((sum, { headWidth }) => sum + headWidth, 0);
    const growth = (width - gaps - heads) / (ratios * height);
    const roomiest = fixed.map(
      ({ headWidth, count, ratios: own }) => (headWidth - (count - 1) * gap) / (own * height),
    );
    return growth > MAX_LAST_GROWTH ? 1 : Math.max(1, Math.min(growth, ...roomiest));
  }
}

/** The index of the line at a height; the last line if the height is below all lines. */
export function lineAtTop(lines: readonly PictureLine[], top: number): number {
  return findLast(lines, (line) => line.top <= top);
}

/** The line of pictures that shows a picture. */
export function lineOfPicture(lines: readonly PictureLine[], index: number): number {
  return findLast(lines, (line) => line.first <= index);
}

/** The index of the last line for which the condition holds; 0 if there is none. The lines are sorted. */
function findLast(lines: readonly PictureLine[], isBefore: (line: PictureLine) => boolean): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const line = lines[middle];
    if (line !== undefined && isBefore(line)) low = middle;
    else high = middle - 1;
  }
  return low;
}
