import { Transform, type TransformCallback } from 'node:stream';

/**
 * Lets bytes pass and fails when they are more or fewer than announced. Behind a `Content-Length` this makes a
 * wrong body a cut connection, which the client notices, instead of a next answer that starts inside this one.
 */
export class ExactLength extends Transform {
  readonly #announced: number;
  #passed = 0;

  constructor(length: number) {
    super();
    this.#announced = length;
  }

  override _transform(chunk: Uint8Array, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#passed += chunk.byteLength;
    if (this.#passed > this.#announced) done(this.#fault());
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    done(this.#passed === this.#announced ? null : this.#fault());
  }

  #fault(): Error {
    return new Error(`The body was announced with ${this.#announced} bytes and had ${this.#passed}.`);
  }
}
