import type { Line, LineListener } from './line.ts';
import type { DataChannel } from './peer-connection.ts';

/** Larger messages are not faster, and delay other messages. */
const MAX_MESSAGE_BYTES = 256 * 1024;
/** The size that every browser supports. */
const MIN_MESSAGE_BYTES = 16 * 1024;
const MAX_BUFFERED_BYTES = 4 * 1024 ** 2;
const LOW_BUFFERED_BYTES = 1024 ** 2;
/** More messages than our pages send before the other side listens. */
const MAX_EARLY_MESSAGES = 64;

/** A line over an open data channel. */
export class DataChannelLine implements Line {
  readonly maxMessageBytes: number;
  readonly #channel: DataChannel;
  #listener: LineListener | undefined;
  readonly #early: (string | ArrayBuffer)[] = [];
  readonly #waiting: (() => void)[] = [];
  #isBroken = false;

  /** @param maxMessageSize the size that both sides agreed on */
  constructor(channel: DataChannel, maxMessageSize: number | undefined) {
    this.maxMessageBytes = Math.min(maxMessageSize || MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES);
    this.#channel = channel;
    channel.binaryType = 'arraybuffer';
    channel.bufferedAmountLowThreshold = LOW_BUFFERED_BYTES;
    channel.onbufferedamountlow = () => this.#goOn();
    channel.onclose = () => this.breakOff();
    channel.onmessage = ({ data }) => {
      if (typeof data !== 'string' && !(data instanceof ArrayBuffer)) return;
      if (this.#isBroken) return;
      if (this.#listener !== undefined) this.#listener.onMessage(data);
      else if (this.#early.length < MAX_EARLY_MESSAGES) this.#early.push(data);
      else this.breakOff();
    };
  }

  /** Closing the connection on this side fires no event on its channels, so the state must be polled. */
  get isOpen(): boolean {
    return !this.#isBroken && this.#channel.readyState === 'open';
  }

  send(message: string | Uint8Array<ArrayBuffer>): void {
    if (!this.isOpen) return;
    try {
      // One call per type, because the overloads of `send` do not accept a union.
      if (typeof message === 'string') this.#channel.send(message);
      else this.#channel.send(message);
    } catch {
      // The channel was just closed. (Our window prevents the other cause, a full buffer.)
      this.breakOff();
    }
  }

  async whenRoom(): Promise<void> {
    while (this.isOpen && this.#channel.bufferedAmount > MAX_BUFFERED_BYTES) {
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
