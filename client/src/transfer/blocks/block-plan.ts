/** The size of a block: the part of a file that is checked, written and acknowledged as one. */
export const BLOCK_BYTES = 1024 ** 2;

export type Step =
  | { readonly kind: 'block'; readonly file: number; readonly start: number; readonly length: number }
  /** All blocks of the file were sent: the receiver checks the whole file. */
  | { readonly kind: 'end'; readonly file: number };

/**
 * The order in which files are sent: one after the other, each block by block, then its end. Both sides count
 * these steps, so that one number tells the progress of a transfer.
 */
export class BlockPlan {
  readonly sizes: readonly number[];
  readonly totalBytes: number;
  readonly stepCount: number;
  /** Per file: its first step, and the bytes of all files before it. */
  readonly #starts: readonly { readonly step: number; readonly bytes: number }[];

  constructor(sizes: readonly number[]) {
    const starts: { step: number; bytes: number }[] = [];
    let step = 0;
    let bytes = 0;
    for (const size of sizes) {
      starts.push({ step, bytes });
      step += blockCountOf(size) + 1;
      bytes += size;
    }
    this.sizes = sizes;
    this.totalBytes = bytes;
    this.stepCount = step;
    this.#starts = starts;
  }

  /** @throws RangeError for a number outside the plan */
  at(step: number): Step {
    const file = this.fileAt(step);
    const start = (step - this.firstStepOf(file)) * BLOCK_BYTES;
    const size = this.sizes[file] ?? 0;
    if (start >= size) return { kind: 'end', file };
    return { kind: 'block', file, start, length: Math.min(BLOCK_BYTES, size - start) };
  }

  /** The file to which a step belongs. @throws RangeError */
  fileAt(step: number): number {
    if (!(Number.isSafeInteger(step) && step >= 0 && step < this.stepCount)) {
      throw new RangeError(`There is no step ${step}.`);
    }
    let low = 0;
    let high = this.sizes.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.firstStepOf(middle) <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  firstStepOf(file: number): number {
    return this.#starts[file]?.step ?? this.stepCount;
  }

  /** The bytes of all files before the step. */
  bytesBefore(step: number): number {
    if (step >= this.stepCount) return this.totalBytes;
    const file = this.fileAt(step);
    const before = this.#starts[file]?.bytes ?? 0;
    return before + Math.min(this.sizes[file] ?? 0, (step - this.firstStepOf(file)) * BLOCK_BYTES);
  }

  /** The bytes of the step's own file before it. */
  bytesOfFileBefore(file: number, step: number): number {
    const passed = Math.max(0, step - this.firstStepOf(file));
    return Math.min(this.sizes[file] ?? 0, passed * BLOCK_BYTES);
  }
}

export function blockCountOf(size: number): number {
  return Math.ceil(size / BLOCK_BYTES);
}
