import type { MadeFile } from './upload-sources.ts';

/** Makes the next piece while one is sent. No more than two are kept. */
export class PiecesAhead {
  readonly #file: MadeFile;
  readonly #made = new Map<number, Promise<Blob>>();

  constructor(file: MadeFile) {
    this.#file = file;
  }

  /** Begins with the first piece, before it is known where it goes. */
  begin(): void {
    void this.#make(0);
  }

  /** The rest of the piece in which the offset is. @throws TransferFault */
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
    // It is handled when it is awaited, if it still is.
    made.catch(() => undefined);
    this.#made.set(index, made);
    return made;
  }
}
