import { TransferFault } from '../connection/line.ts';
import { BLOCK_BYTES, type BlockPlan, blockCountOf } from './block-plan.ts';
import { FileDigests } from './digests.ts';
import type { FileSink, FileSinks } from './file-sink.ts';

/** The files being received and the progress so far. It outlives the lines: the next line resumes here. */
export class Incoming {
  readonly plan: BlockPlan;
  readonly #place: FileSinks;
  readonly #onStep: (step: number) => void;
  #step = 0;
  #sink: FileSink | undefined;
  #opening: Promise<FileSink> | undefined;
  #isStopped = false;
  #digests = new FileDigests(0);

  /** @param onStep called with the next step after each change */
  constructor(plan: BlockPlan, place: FileSinks, onStep: (step: number) => void) {
    this.plan = plan;
    this.#place = place;
    this.#onStep = onStep;
  }

  /** All steps before this one are checked and written. */
  get step(): number {
    return this.#step;
  }

  get isWhole(): boolean {
    return this.#step === this.plan.stepCount;
  }

  /**
   * Writes the next block. @param digest required if the end of the file is checked
   * @throws TransferFault; Error after `stop`
   */
  async writeBlock(bytes: Uint8Array<ArrayBuffer>, digest?: Uint8Array): Promise<void> {
    this.#throwIfStopped();
    const step = this.plan.at(this.#step);
    if (step.kind !== 'block' || bytes.length !== step.length) throw new TransferFault('damaged');
    const sink = await this.#orFault(() => this.#open(step.file));
    this.#throwIfStopped();
    await this.#orFault(() => sink.write(bytes));
    this.#throwIfStopped();
    if (digest !== undefined) this.#digests.put(step.start / BLOCK_BYTES, digest);
    this.#advance(this.#step + 1);
  }

  /**
   * Closes the file after its last block if it equals the sender's; otherwise starts it again.
   * @param sha256 undefined if the sender sent none
   * @throws TransferFault; Error after `stop`
   */
  async endFile(sha256: string | undefined): Promise<boolean> {
    this.#throwIfStopped();
    const { file } = this.plan.at(this.#step);
    const sink = await this.#orFault(() => this.#open(file));
    const isEqual = sha256 === undefined || (await this.#digests.ofWhole()) === sha256;
    // Otherwise the file would appear after the transfer was stopped.
    this.#throwIfStopped();
    if (!isEqual) {
      await this.#discard();
      this.#advance(this.plan.firstStepOf(file));
      return false;
    }
    await this.#orFault(() => sink.close());
    this.#sink = undefined;
    this.#advance(this.#step + 1);
    return true;
  }

  /** Discards the current file, and rejects everything that still arrives. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#opening?.catch(() => undefined);
    await this.#discard();
  }

  async #discard(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    await sink?.abort().catch(() => undefined);
  }

  async #open(file: number): Promise<FileSink> {
    if (this.#sink !== undefined) return this.#sink;
    this.#digests = new FileDigests(blockCountOf(this.plan.sizes[file] ?? 0));
    this.#opening = this.#place.begin(file);
    try {
      this.#sink = await this.#opening;
    } finally {
      this.#opening = undefined;
    }
    return this.#sink;
  }

  #throwIfStopped(): void {
    if (this.#isStopped) throw new Error('The transfer was stopped.');
  }

  #advance(step: number): void {
    this.#step = step;
    this.#onStep(step);
  }

  async #orFault<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      // The end of the transfer has closed the file.
      this.#throwIfStopped();
      const isFull = error instanceof Error && error.name === 'QuotaExceededError';
      throw new TransferFault(isFull ? 'no-room' : 'unwritable', { cause: error });
    }
  }
}
