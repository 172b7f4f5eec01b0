const BATCH_BYTES = 128 * 1_024;
const LARGE_BYTES = BATCH_BYTES / 2;

/**
 * Joins small pieces into larger ones, so that fewer writes are needed. Large pieces are passed on in order,
 * without copying.
 */
export class ByteBatch {
  #batch = Buffer.allocUnsafeSlow(BATCH_BYTES);
  #used = 0;

  /**
   * Adds a piece and yields the pieces that are ready. The caller must not write to a large piece afterwards.
   */
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

  /** Yields the pieces joined so far. */
  *flush(): Generator<Uint8Array> {
    if (this.#used === 0) return;
    const joined = this.#batch.subarray(0, this.#used);
    // The receiver may keep these bytes until they are sent, so only the rest of the buffer is reused.
    const rest = this.#batch.subarray(this.#used);
    this.#batch = rest.byteLength >= LARGE_BYTES ? rest : Buffer.allocUnsafeSlow(BATCH_BYTES);
    this.#used = 0;
    yield joined;
  }
}
