import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';

/*
 * A `text/event-stream` answer (WHATWG HTML, section 9.2). It has no length and is not chunked: it ends with
 * its connection, so that a frame goes to a thousand readers as the very bytes that were made once.
 */

/**
 * A reader that leaves so much unread, beyond what the system buffers, is not written to until it has read
 * all of it.
 */
const MOST_WAITING_BYTES = 128 * 1_024;

/** A reader for whom something waits at so many heartbeats, one after the other, is gone or as good as. */
const MOST_MISSED_BEATS = 4;

const COMMENT = Buffer.from(':\n\n');

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // A proxy that collects answers before it passes them on would hold events back.
  'x-accel-buffering': 'no',
};

/** Answers HEAD as GET would begin. */
export function sendEventStreamHead(reply: FastifyReply): FastifyReply {
  return reply.headers(HEADERS).send();
}

/** Sends the head; from here on nothing else can be answered. */
export function openEventStream(reply: FastifyReply): EventStream {
  reply.headers({ ...HEADERS, connection: 'close' }).hijack();
  const { raw } = reply;
  raw.statusCode = 200;
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  // Before there is one: Node's way to leave out chunks.
  raw.removeHeader('transfer-encoding');
  raw.flushHeaders();
  return new EventStream(raw);
}

/** One message. The data is one line, as JSON is. */
export function toFrame(id: number, event: string, json: string): Buffer {
  return Buffer.from(`id: ${id}\nevent: ${event}\ndata: ${json}\n\n`);
}

export class EventStream {
  readonly #response: ServerResponse;
  #missedBeats = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    // What is written to a reader who has just left.
    response.on('error', () => {});
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Whether so much waits to be read that more must wait with its source: see {@link drained}. */
  get isFull(): boolean {
    return this.#response.writableLength > MOST_WAITING_BYTES;
  }

  /** Must not be called while {@link isFull}. */
  write(frame: Buffer): void {
    if (this.isOpen) this.#response.write(frame);
  }

  /** Resolves when the reader has read what waited, or is no longer there. */
  async drained(): Promise<void> {
    if (this.isOpen && this.#response.writableNeedDrain) await this.#next('drain', 'close');
  }

  /**
   * To be called now and then: shows proxies and the reader that the stream lives, and cuts it when nobody
   * reads.
   */
  beat(): void {
    this.#missedBeats = this.#response.writableLength > 0 ? this.#missedBeats + 1 : 0;
    if (this.#missedBeats >= MOST_MISSED_BEATS) this.#response.destroy();
    else if (!this.isFull) this.write(COMMENT);
  }

  /** Resolves when the stream is over, whoever ended it. */
  async closed(): Promise<void> {
    if (!this.#response.closed) await this.#next('close');
  }

  /** Ends it; what the reader has not taken yet is lost. */
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
