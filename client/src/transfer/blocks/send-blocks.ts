// The sending end of a line. It sends from the step that the receiver requested to the end, and never has
// more in flight than the receiver can buffer. So neither page holds more than a few blocks, however large
// the files are.

import { type Line, LineBroken, TransferFault, toFault } from '../connection/line.ts';
import { sha256, toHex } from '../sha256.ts';
import { BLOCK_BYTES, type BlockPlan, blockCountOf, type Step } from './block-plan.ts';
import { FileDigests } from './digests.ts';
import { type BlockMessage, decodeMessage, encodeMessage } from './wire.ts';

/** The maximum number of bytes sent and not yet acknowledged. */
const MAX_AHEAD_BYTES = 16 * BLOCK_BYTES;
const MAX_AHEAD_STEPS = 256;

/** After this long without a message from the receiver, the sender asks for one. */
const STALL_MS = 5_000;

/** The files being sent, and the state of the transfer. It outlives the lines. */
export interface Outgoing {
  readonly plan: BlockPlan;
  /** @throws if the file changed or was deleted */
  readonly read: (file: number, start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
  /** The checksums of each file that was started, by its index. */
  readonly digests: Map<number, FileDigests>;
  /** The receiver has everything before this step. */
  readonly onConfirmed: (step: number) => void;
  readonly stallMs?: number;
}

/**
 * Sends until the receiver has everything.
 * @throws LineBroken; TransferFault
 */
export async function sendBlocks(line: Line, outgoing: Outgoing): Promise<void> {
  const replies = new ReplyHandler(line, outgoing.onConfirmed);
  const reader = new Reader(outgoing);
  const { plan, stallMs = STALL_MS } = outgoing;
  let next = plan.stepCount;
  while (!replies.isDone()) {
    const wanted = replies.takeRequestedStep();
    if (wanted !== undefined) next = Math.min(wanted, plan.stepCount);
    if (replies.epoch === 0 || next === plan.stepCount || isFarAhead(plan, replies.confirmed, next)) {
      if (!(await replies.bell.wait(stallMs)) && !replies.isBroken)
        line.send(encodeMessage({ type: 'ask', step: next }));
      continue;
    }
    const { step, bytes, digest } = await reader.get(next).catch((error: unknown) => {
      const fault = new TransferFault('unreadable', { cause: error });
      if (!replies.isBroken) line.send(encodeMessage({ type: 'failed', reason: fault.fault }));
      throw fault;
    });
    // The receiver may have sent another message meanwhile.
    if (replies.isInterrupted()) continue;
    line.send(encodeMessage({ type: step.kind, epoch: replies.epoch, step: next, sha256: digest }));
    for (let at = 0; at < bytes.length && !replies.isInterrupted(); at += line.maxMessageBytes) {
      await line.whenRoom();
      if (!replies.isInterrupted()) line.send(bytes.subarray(at, at + line.maxMessageBytes));
    }
    next += 1;
  }
}

function isFarAhead(plan: BlockPlan, confirmed: number, next: number): boolean {
  if (next - confirmed >= MAX_AHEAD_STEPS) return true;
  return plan.bytesBefore(next) - plan.bytesBefore(confirmed) >= MAX_AHEAD_BYTES;
}

/** Handles the messages of the receiver: what it requests, what it has, and whether it is done. */
class ReplyHandler {
  readonly bell = new Bell();
  epoch = 0;
  confirmed = 0;
  isBroken = false;
  #isDone = false;
  #requestedStep: number | undefined;
  #failure: TransferFault | undefined;

  constructor(line: Line, onConfirmed: (step: number) => void) {
    const confirm = (step: number) => {
      this.confirmed = step;
      onConfirmed(step);
    };
    line.listen({
      onBreak: () => {
        this.isBroken = true;
        this.bell.ring();
      },
      onMessage: (received) => {
        const message = typeof received === 'string' ? decodeMessage(received) : undefined;
        if (message !== undefined) this.#handle(message, confirm);
        this.bell.ring();
      },
    });
  }

  /** @throws LineBroken; TransferFault */
  isDone(): boolean {
    if (this.#isDone) return true;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.isBroken) throw new LineBroken();
    return false;
  }

  takeRequestedStep(): number | undefined {
    const wanted = this.#requestedStep;
    this.#requestedStep = undefined;
    return wanted;
  }

  /** Whether a newer request has made the current sending obsolete. */
  isInterrupted(): boolean {
    return this.#requestedStep !== undefined || this.isBroken || this.#isDone || this.#failure !== undefined;
  }

  #handle(message: BlockMessage, confirm: (step: number) => void): void {
    if (message.type === 'want' && message.epoch > this.epoch) {
      this.epoch = message.epoch;
      this.#requestedStep = message.step;
      confirm(message.step);
    } else if (message.type === 'have' && message.step > this.confirmed) confirm(message.step);
    else if (message.type === 'done') this.#isDone = true;
    else if (message.type === 'failed') this.#failure = toFault(message.reason);
  }
}

interface Prepared {
  readonly step: Step;
  /** Undefined for the end of a file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly digest: string;
}

/** Reads and digests one step ahead, while the previous one is being sent. */
class Reader {
  readonly #outgoing: Outgoing;
  #ahead: { readonly number: number; readonly prepared: Promise<Prepared> } | undefined;

  constructor(outgoing: Outgoing) {
    this.#outgoing = outgoing;
  }

  async get(number: number): Promise<Prepared> {
    const ahead = this.#ahead?.number === number ? this.#ahead.prepared : this.#prepare(number);
    this.#ahead = undefined;
    const prepared = await ahead;
    if (number + 1 < this.#outgoing.plan.stepCount) {
      this.#ahead = { number: number + 1, prepared: this.#prepare(number + 1) };
      // The consumer of the promise handles its failure.
      this.#ahead.prepared.catch(() => undefined);
    }
    return prepared;
  }

  async #prepare(number: number): Promise<Prepared> {
    const step = this.#outgoing.plan.at(number);
    if (step.kind === 'block') {
      const { bytes, digest } = await this.#digestBlock(step.file, step.start / BLOCK_BYTES);
      return { step, bytes, digest: toHex(digest) };
    }
    const digests = this.#digestsOf(step.file);
    for (const block of digests.missing()) await this.#digestBlock(step.file, block);
    return { step, bytes: new Uint8Array(0), digest: await digests.ofWhole() };
  }

  async #digestBlock(file: number, block: number) {
    const { plan, read } = this.#outgoing;
    const start = block * BLOCK_BYTES;
    const end = Math.min(plan.sizes[file] ?? 0, start + BLOCK_BYTES);
    const bytes = await read(file, start, end);
    if (bytes.length !== end - start) throw new Error('The file became shorter.');
    const digest = await sha256(bytes);
    this.#digestsOf(file).put(block, digest);
    return { bytes, digest };
  }

  #digestsOf(file: number): FileDigests {
    const { plan, digests } = this.#outgoing;
    const known = digests.get(file);
    if (known !== undefined) return known;
    const made = new FileDigests(blockCountOf(plan.sizes[file] ?? 0));
    digests.set(file, made);
    return made;
  }
}

/** Wakes the waiting sender. A wakeup without a waiter is kept for the next one. */
class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves to false after the timeout. */
  async wait(milliseconds: number): Promise<boolean> {
    if (!this.#isRung) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    const wasRung = this.#isRung;
    this.#isRung = false;
    return wasRung;
  }
}
