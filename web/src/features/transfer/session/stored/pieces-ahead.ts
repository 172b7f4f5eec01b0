import type { MadeFile } from './upload-sources.ts';

/** Produces the next piece while the current one is sent. Keeps at most these two in memory. */
export class PiecesAhead {
  readonly #file: MadeFile;
  readonly #made = new Map<number, Promise<Blob>>();

  constructor(file: MadeFile) {
    this.#file = file;
  }

  /** Starts producing the first piece while the upload is being created. */
  begin(): void {
    void this.#make(0);
  }

  /** Returns the rest of the piece that contains the offset. @throws TransferFault */
  async from(offset: number): Promise<Blob> {
    const { size, pieceBytes } = this.#file;
    const index = Math.floor(offset / pieceBytes);
    for (const kept of this.#made.keys()) {
      if (kept !== index && kept !== index + 1) this.#made.delete(kept);
    }
    const piece = await this.#make(index);
    if ((index + 1) * pieceBytes < size) void this.#make(index + 1);
    return piece.slice(offset - index * pieceBytes);
  }

  #make(index: number): Promise<Blob> {
    const made = this.#made.get(index) ?? this.#file.makePiece(index);
    // A caller that awaits the piece still gets the error. Without this handler, the error of a piece that nobody
    // awaits would be an unhandled rejection.
    made.catch(() => undefined);
    this.#made.set(index, made);
    return made;
  }
}
