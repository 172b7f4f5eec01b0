import type { Line, LineListener } from './line.ts';

/** Larger messages gain nothing, and hold up what else is to be said. */
const MOST_MESSAGE_BYTES = 256 * 1024;
/** What every browser takes. */
const LEAST_MESSAGE_BYTES = 16 * 1024;
const MOST_BUFFERED_BYTES = 4 * 1024 ** 2;
const LOW_BUFFERED_BYTES = 1024 ** 2;

/** A line over a data channel that is open. */
export class DataChannelLine implements Line {
  readonly maxMessageBytes: number;
  readonly #channel: RTCDataChannel;
  #listener: LineListener | undefined;
  readonly #early: (string | ArrayBuffer)[] = [];
  readonly #waiting: (() => void)[] = [];
  #isBroken = false;

  /** @param maxMessageSize as the two browsers have agreed */
  constructor(channel: RTCDataChannel, maxMessageSize: number | undefined) {
    this.maxMessageBytes = Math.min(maxMessageSize || LEAST_MESSAGE_BYTES, MOST_MESSAGE_BYTES);
    this.#channel = channel;
    channel.binaryType = 'arraybuffer';
    channel.bufferedAmountLowThreshold = LOW_BUFFERED_BYTES;
    channel.onbufferedamountlow = () => this.#goOn();
    channel.onclose = () => this.breakOff();
    channel.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
      if (this.#listener === undefined) this.#early.push(data);
      else if (!this.#isBroken) this.#listener.onMessage(data);
    };
  }

  /** A connection that this page itself closes tells its channels nothing: whoever watches asks. */
  get isOpen(): boolean {
    return !this.#isBroken && this.#channel.readyState === 'open';
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    if (!this.isOpen) return;
    try {
      // One call for each: the types of the method have no union.
      if (typeof message === 'string') this.#channel.send(message);
      else this.#channel.send(message);
    } catch {
      // It closed just now, or its buffer is full beyond what we ever fill.
      this.breakOff();
    }
  }

  async whenRoom(): Promise<void> {
    while (this.isOpen && this.#channel.bufferedAmount > MOST_BUFFERED_BYTES) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  listen(listener: LineListener): void {
    this.#listener = listener;
    for (const message of this.#early.splice(0)) listener.onMessage(message);
    if (this.#isBroken) listener.onBreak();
  }

  breakOff(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#goOn();
    this.#listener?.onBreak();
  }

  #goOn(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
