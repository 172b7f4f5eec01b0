/** A line of pictures that all have the same height. Lengths in pixels. */
interface FilledLine {
  /** The index of the first picture. */
  readonly first: number;
  readonly count: number;
  readonly height: number;
}

export interface LineSizes {
  /** The width of a line. */
  readonly width: number;
  /** The height that lines should have. They are as close to it as the pictures allow. */
  readonly height: number;
  readonly gap: number;
}

/** Width divided by height. Until a picture's ratio is known, it has that of most cameras. */
const USUAL_RATIO = 4 / 3;
/** Narrower and wider pictures are cut, so no line gets too high or too low. */
const RATIOS = { least: 0.4, most: 3.2 };

/** How much higher than wanted a line may be, so its pictures reach the end of the line. */
const MAX_GROWTH = 1.6;
/** The same for the last line of a group. Beyond that, it stays short. */
export const MAX_LAST_GROWTH = 1.25;

/** @param ratio undefined or not a number if it is unknown */
export function toShownRatio(ratio: number | undefined): number {
  if (ratio === undefined || !(ratio > 0)) return USUAL_RATIO;
  return Math.min(RATIOS.most, Math.max(RATIOS.least, ratio));
}

/**
 * Distributes pictures over lines that begin and end at the same places. A line ends before or after the
 * picture that does not fit, whichever keeps its height closer to the wanted one.
 */
export function* fillLines(
  pictures: { readonly first: number; readonly count: number },
  ratioAt: (index: number) => number,
  { width, height, gap }: LineSizes,
): Generator<FilledLine> {
  const end = pictures.first + pictures.count;
  let [first, ratios] = [pictures.first, 0];
  const line = (last: number, sum: number, growth: number): FilledLine => {
    const count = last - first + 1;
    return { first, count, height: Math.min(height * growth, (width - (count - 1) * gap) / sum) };
  };
  for (let index = first; index < end; index += 1) {
    const ratio = ratioAt(index);
    const before = index - first;
    if (before > 0 && (ratios + ratio) * height + before * gap > width) {
      const higher = (width - (before - 1) * gap) / ratios;
      const lower = (width - before * gap) / (ratios + ratio);
      if (higher * lower > height * height) {
        yield line(index, ratios + ratio, 1);
        [first, ratios] = [index + 1, 0];
        continue;
      }
      yield line(index - 1, ratios, MAX_GROWTH);
      [first, ratios] = [index, 0];
    }
    ratios += ratio;
  }
  if (first >= end) return;
  const last = line(end - 1, ratios, Number.POSITIVE_INFINITY);
  yield last.height > height * MAX_LAST_GROWTH ? { ...last, height } : last;
}
