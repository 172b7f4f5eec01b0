// The receiving end of a line. Every block is checked before it is written, and written before it is
// acknowledged. A block that is missing, damaged or out of order is answered with the step from which the
// sender must resume.

import { SerialQueue } from '../../common/serial-queue.ts';
import { type Line, LineBroken, TransferFault, toFault } from '../connection/line.ts';
import { sha256, toHex } from '../sha256.ts';
import { BLOCK_BYTES } from './block-plan.ts';
import type { Incoming } from './incoming.ts';
import { type BlockMessage, decodeMessage, encodeMessage } from './wire.ts';

/** More than our sender ever has in flight. */
const MAX_WAITING_BYTES = 32 * BLOCK_BYTES;
const MAX_WAITING_TASKS = 4_096;
/** How many messages in a row may be wrong. One more, and the transfer fails. */
const MAX_REFUSALS = 20;

/**
 * Receives until all files are complete.
 * @param onMeet called with the session through which the sender can be found from now on
 * @throws LineBroken; TransferFault
 */
export async function receiveBlocks(
  line: Line,
  incoming: Incoming,
  onMeet: (sessionId: string) => void = () => undefined,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const receiver = new BlockReceiver(line, incoming, { onMeet, onWhole: resolve, onFailure: reject });
    line.listen({
      onBreak: () => receiver.fail(new LineBroken()),
      onMessage: (received) => {
        if (typeof received !== 'string') {
          receiver.handleBytes(new Uint8Array(received));
          return;
        }
        const message = decodeMessage(received);
        if (message !== undefined) receiver.handle(message);
      },
    });
    receiver.begin();
  });
}

interface Listeners {
  readonly onMeet: (sessionId: string) => void;
  readonly onWhole: () => void;
  readonly onFailure: (error: unknown) => void;
}

interface Part {
  readonly step: number;
  readonly sha256: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  filled: number;
}

class BlockReceiver {
  readonly #line: Line;
  readonly #incoming: Incoming;
  readonly #on: Listeners;
  #epoch = 0;
  /** The next step. Earlier ones may still be being written to disk. */
  #next = 0;
  #part: Part | undefined;
  #waitingBytes = 0;
  #waitingTasks = 0;
  #refusals = 0;
  #isOver = false;
  readonly #work = new SerialQueue();

  constructor(line: Line, incoming: Incoming, on: Listeners) {
    this.#line = line;
    this.#incoming = incoming;
    this.#on = on;
  }

  begin(): void {
    if (this.#incoming.isWhole) this.#finish();
    else this.#requestAgain();
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    // Running writes finish first, because the next line resumes after them.
    void this.#work.settled().then(() => this.#on.onFailure(error));
  }

  handle(message: BlockMessage): void {
    if (this.#isOver) return;
    if (message.type === 'meet') this.#on.onMeet(message.sessionId);
    else if (message.type === 'failed') this.fail(toFault(message.reason));
    else if (message.type === 'ask') this.#enqueue(0, async () => this.#answer(message.step));
    else if (message.type === 'block' || message.type === 'end') this.#handleStep(message);
  }

  #handleStep(message: Extract<BlockMessage, { type: 'block' | 'end' }>): void {
    if (message.epoch !== this.#epoch) {
      // Bytes that were sent for an older request may still arrive.
      this.#part = undefined;
      return;
    }
    const isNext = message.step === this.#next && this.#part === undefined && !this.#isPast(message.step);
    const step = isNext ? this.#incoming.plan.at(message.step) : undefined;
    if (step === undefined || step.kind !== message.type) this.#requestAgain();
    else if (step.kind === 'block') {
      const bytes = new Uint8Array(step.length);
      this.#part = { step: message.step, sha256: message.sha256, bytes, filled: 0 };
    } else {
      this.#next += 1;
      this.#enqueue(0, () => this.#endFile(message.step, message.sha256));
    }
  }

  handleBytes(bytes: Uint8Array): void {
    const part = this.#part;
    if (this.#isOver || part === undefined) return;
    if (part.filled + bytes.length > part.bytes.length) {
      this.#requestAgain();
      return;
    }
    part.bytes.set(bytes, part.filled);
    part.filled += bytes.length;
    if (part.filled < part.bytes.length) return;
    this.#part = undefined;
    this.#next += 1;
    this.#enqueue(part.bytes.length, () => this.#storeBlock(part));
  }

  async #storeBlock({ step, sha256: expected, bytes }: Part): Promise<void> {
    if (step !== this.#incoming.step) return;
    const digest = await sha256(bytes);
    if (toHex(digest) !== expected) {
      this.#requestAgain();
      return;
    }
    await this.#incoming.writeBlock(bytes, digest);
    this.#acknowledge();
  }

  async #endFile(step: number, expected: string): Promise<void> {
    if (step !== this.#incoming.step) return;
    if (!(await this.#incoming.endFile(expected))) this.#requestAgain();
    else if (this.#incoming.isWhole) this.#finish();
    else this.#acknowledge();
  }

  #isPast(step: number): boolean {
    return step >= this.#incoming.plan.stepCount;
  }

  #acknowledge(): void {
    this.#refusals = 0;
    this.#send({ type: 'have', step: this.#incoming.step });
  }

  #answer(sent: number): void {
    if (this.#part === undefined && this.#incoming.step >= sent) {
      this.#send({ type: 'have', step: this.#incoming.step });
    } else this.#requestAgain();
  }

  /** Discards everything except what is already being written to disk. */
  #requestAgain(): void {
    this.#epoch += 1;
    this.#refusals += 1;
    this.#part = undefined;
    const epoch = this.#epoch;
    if (this.#refusals > MAX_REFUSALS) {
      this.#failBothSides(new TransferFault('damaged'));
      return;
    }
    this.#enqueue(0, async () => {
      // A newer request has replaced this one.
      if (epoch !== this.#epoch) return;
      this.#next = this.#incoming.step;
      this.#send({ type: 'want', epoch, step: this.#next });
    });
  }

  #finish(): void {
    this.#send({ type: 'done' });
    this.#isOver = true;
    this.#on.onWhole();
  }

  #failBothSides(fault: TransferFault): void {
    this.#send({ type: 'failed', reason: fault.fault });
    this.fail(fault);
  }

  #enqueue(bytes: number, task: () => Promise<void>): void {
    this.#waitingBytes += bytes;
    this.#waitingTasks += 1;
    if (this.#waitingBytes > MAX_WAITING_BYTES || this.#waitingTasks > MAX_WAITING_TASKS) {
      // A sender that does not respect the window is not our page.
      this.#failBothSides(new TransferFault('damaged'));
      return;
    }
    void this.#work.run(async () => {
      try {
        if (!this.#isOver) await task();
      } catch (error) {
        if (error instanceof TransferFault) this.#failBothSides(error);
        else this.fail(error);
      } finally {
        this.#waitingBytes -= bytes;
        this.#waitingTasks -= 1;
      }
    });
  }

  #send(message: BlockMessage): void {
    if (!this.#isOver) this.#line.send(encodeMessage(message));
  }
}
