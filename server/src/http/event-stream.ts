import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/*
 * Responses of type `text/event-stream` (WHATWG HTML, section 9.2). They have no length and are not chunked:
 * the stream ends with its connection. So one buffer can be written to a thousand readers unchanged.
 */

/**
 * When more bytes than this are unsent, beyond the system's buffers, nothing more is written until the reader
 * has read all of them.
 */
const MAX_UNSENT_BYTES = 128 * 1_024;

/** A reader that has unsent bytes at this many consecutive heartbeats is disconnected. */
const MAX_MISSED_BEATS = 4;

const COMMENT = Buffer.from(':\n\n');

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Tells nginx not to buffer the response, which would delay events.
  'x-accel-buffering': 'no',
};

/** Answers HEAD with the headers of GET. */
export function sendEventStreamHead(reply: FastifyReply): FastifyReply {
  return reply.headers(HEADERS).send();
}

/** Sends the headers. After that no other response can be sent. */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.headers({ ...HEADERS, connection: 'close' }).hijack();
  const { raw } = reply;
  raw.statusCode = 200;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  // Removing the header before it is set makes Node send the body without chunking.
  raw.removeHeader('transfer-encoding');
  raw.flushHeaders();
  return new EventStream(raw);
}

/** Encodes one message. The JSON must be a single line. */
export function toFrame(id: number, event: string, json: string): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${json}\n\n`);
}

export class EventStream {
  readonly #response: ServerResponse;
  #missedBeats = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    // A write to a reader that has just disconnected fails. Ignored, because `closed` reports the end.
    response.on('error', () => {});
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Whether the caller must wait for {@link drained} before it writes more. */
  get isFull(): boolean {
    return this.#response.writableLength > MAX_UNSENT_BYTES;
  }

  /** Must not be called while {@link isFull}. */
  write(frame: Buffer): void {
    if (this.isOpen) this.#response.write(frame);
  }

  /** Resolves when the reader has read everything, or has disconnected. */
  async drained(): Promise<void> {
    if (this.isOpen && this.#response.writableNeedDrain) await this.#next('drain', 'close');
  }

  /**
   * Sends a heartbeat, so that proxies and the reader keep the connection; disconnects a reader that no
   * longer reads.
   */
  beat(): void {
    this.#missedBeats = this.#response.writableLength > 0 ? this.#missedBeats + 1 : 0;
    if (this.#missedBeats >= MAX_MISSED_BEATS) this.#response.destroy();
    else if (!this.isFull) this.write(COMMENT);
  }

  /** Resolves when the connection is closed, by either side. */
  async closed(): Promise<void> {
    if (!this.#response.closed) await this.#next('close');
  }

  /** Ends the stream. Bytes that the reader has not taken yet are lost. */
  end(): void {
    if (this.#response.writableLength > 0) this.#response.destroy();
    else this.#response.end();
  }

  #next(...names: readonly string[]): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        for (const name of names) this.#response.off(name, done);
        resolve();
      };
      for (const name of names) this.#response.on(name, done);
    });
  }
}
