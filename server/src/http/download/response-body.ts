import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { ReusingStream } from '../../base/bytes/byte-streams.ts';

/**
 * Writes a response body of known length. The headers are sent with the first chunk; until then a different
 * response can be sent. More or fewer bytes than announced are an error, which closes the connection.
 * Otherwise the client would misread where the next response on the connection begins.
 */
export class ResponseBody extends Writable {
  readonly #response: ServerResponse;
  readonly #sendHead: () => void;
  readonly #length: number;
  readonly #source: unknown;
  readonly #onDisconnect = () =>
    this.destroy(this.#response.writableFinished ? undefined : new ClientDisconnected());
  #writtenBytes = 0;
  #hasStarted = false;

  /** @param sendHead sets the headers; called once, before the first byte */
  constructor(parts: { response: ServerResponse; length: number; source: unknown; sendHead: () => void }) {
    super();
    this.#response = parts.response;
    this.#length = parts.length;
    this.#source = parts.source;
    this.#sendHead = parts.sendHead;
    this.#response.once('close', this.#onDisconnect);
  }

  override _write(chunk: Uint8Array, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#writtenBytes += chunk.byteLength;
    if (this.#writtenBytes > this.#length) {
      done(this.#fault());
      return;
    }
    this.#start();
    this.#response.write(chunk, (error) => {
      // Without an error the system has copied the bytes, so their memory can be reused. After an error the
      // memory may still be in a queue, and must not receive the bytes of another download.
      if (!error && this.#source instanceof ReusingStream) this.#source.release(chunk);
      done(error ? new ClientDisconnected({ cause: error }) : null);
    });
  }

  override _final(done: (error?: Error | null) => void): void {
    if (this.#writtenBytes !== this.#length) {
      done(this.#fault());
      return;
    }
    this.#start();
    this.#response.end(() => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#response.off('close', this.#onDisconnect);
    if (error !== null && this.#hasStarted) this.#response.destroy();
    done(error);
  }

  #start(): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    this.#sendHead();
  }

  #fault(): Error {
    return new Error(
      `The response body has ${this.#writtenBytes} bytes instead of the announced ${this.#length}.`,
    );
  }
}

/** The client closed the connection before the end of the body. This is not a server error. */
export class ClientDisconnected extends Error {
  constructor(options?: ErrorOptions) {
    super('The client disconnected before the end of the body.', options);
    this.name = 'ClientDisconnected';
  }
}
