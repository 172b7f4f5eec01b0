const BATCH_BYTES = 128 * 1_024;
const LARGE_BYTES = BATCH_BYTES / 2;

/** Gathers small pieces into batches that are worth a write; large ones pass uncopied, in their order. */
export class ByteBatch {
  #batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #used = 0;

  /** Takes a piece and gives what is ready to leave. A large piece must not be written to afterwards. */
  *add(piece: Uint8Array): Generator<Uint8Array> {
    if (piece.byteLength > this.#batch.byteLength - this.#used) yield* this.flush();
    if (piece.byteLength >= LARGE_BYTES) {
      yield* this.flush();
      yield piece;
      return;
    }
    this.#batch.set(piece, this.#used);
    this.#used += piece.byteLength;
  }

  /** Gives what is gathered. */
  *flush(): Generator<Uint8Array> {
    if (this.#used === 0) return;
    const gathered = this.#batch.subarray(0, this.#used);
    // The receiver may hold these bytes until they are on the wire, so only what lies behind them is used again.
    const rest = this.#batch.subarray(this.#used);
    this.#batch = rest.byteLength >= LARGE_BYTES ? rest : Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#used = 0;
    yield gathered;
  }
}
