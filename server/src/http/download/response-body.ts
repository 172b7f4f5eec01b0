import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { ReusingStream } from '../../base/bytes/byte-streams.ts';

/**
 * The body of a response of known length. The head leaves with the first chunk: until then there is still
 * another answer to give. Bytes that are more or fewer than announced are an error, so that a wrong body is a
 * cut connection, which the client notices, instead of a next answer that starts inside this one.
 */
export class ResponseBody extends Writable {
  readonly #response: ServerResponse;
  readonly #sendHead: () => void;
  readonly #length: number;
  readonly #source: unknown;
  readonly #onLeave = () => this.destroy(this.#response.writableFinished ? undefined : new ClientLeft());
  #passed = 0;
  #hasBegun = false;

  /** @param sendHead called once, before the first byte */
  constructor(parts: { response: ServerResponse; length: number; source: unknown; sendHead: () => void }) {
    super();
    this.#response = parts.response;
    this.#length = parts.length;
    this.#source = parts.source;
    this.#sendHead = parts.sendHead;
    this.#response.once('close', this.#onLeave);
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#passed += chunk.byteLength;
    if (this.#passed > this.#length) {
      done(this.#fault());
      return;
    }
    this.#begin();
    // Called when the system has the bytes: the memory is free for the next ones.
    this.#response.write(chunk, (error) => {
      if (this.#source instanceof ReusingStream) this.#source.release(chunk);
      done(error ? new ClientLeft({ cause: error }) : null);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#passed !== this.#length) {
      done(this.#fault());
      return;
    }
    this.#begin();
    this.#response.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#response.off('close', this.#onLeave);
    if (error !== null && this.#hasBegun) this.#response.destroy();
    done(error);
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#sendHead();
  }

  #fault(): Error {
    return new Error(`The body was announced with ${this.#length} bytes and had ${this.#passed}.`);
  }
}

/** The client closed the connection before it had everything: its right, and no fault of anybody. */
export class ClientLeft extends Error {
  constructor(options?: ErrorOptions) {
    super('The client left before the end of the body.', options);
    this.name = 'ClientLeft';
  }
}
