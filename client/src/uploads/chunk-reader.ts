import type { PieceSource } from './upload-source.ts';

/** A part of an upload, ready to be sent. */
export interface Chunk {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The SHA-256 in base64; undefined in pages without TLS, which have no `crypto.subtle`. */
  readonly checksum: string | undefined;
}

/**
 * Reads the chunks of an upload, each while the previous one is sent. So at most two are in memory. The
 * memory of a delivered chunk is reused, because chunks of megabytes would otherwise keep the garbage
 * collector busy.
 */
export class ChunkReader {
  readonly #source: PieceSource;
  #ahead: { readonly start: number; readonly length: number; readonly chunk: Promise<Chunk> } | undefined;
  #free: ArrayBuffer | undefined;

  constructor(source: PieceSource) {
    this.#source = source;
  }

  /**
   * Returns the chunk at a position.
   * @param maxBytes the maximum size of the chunk
   * @throws the error of the source
   */
  async read(start: number, maxBytes: number): Promise<Chunk> {
    const ahead = this.#ahead;
    const isAhead = ahead !== undefined && ahead.start === start && ahead.length <= maxBytes;
    this.#ahead = undefined;
    const chunk = await (isAhead ? ahead.chunk : this.#begin(start, maxBytes).chunk);
    const end = start + chunk.bytes.length;
    if (end < this.#source.size) {
      this.#ahead = this.#begin(end, maxBytes);
      // The call that requests this chunk throws the error, if there is one.
      this.#ahead.chunk.catch(() => undefined);
    }
    return chunk;
  }

  /**
   * Frees a chunk that is no longer needed. Never call it for a chunk whose request has failed, because its
   * bytes may still be being sent.
   */
  release({ bytes }: Chunk): void {
    this.#free = bytes.buffer;
  }

  #begin(start: number, maxBytes: number) {
    const length = Math.min(maxBytes, this.#source.size - start);
    const free = this.#free;
    this.#free = undefined;
    const isLarge = free !== undefined && free.byteLength >= length;
    const bytes = isLarge ? new Uint8Array(free, 0, length) : new Uint8Array(length);
    return { start, length, chunk: this.#fill(start, bytes) };
  }

  async #fill(start: number, bytes: Uint8Array<ArrayBuffer>): Promise<Chunk> {
    await this.#source.readPiece(start, bytes);
    if (crypto.subtle === undefined) return { start, bytes, checksum: undefined };
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    return { start, bytes, checksum: toBase64(new Uint8Array(digest)) };
  }
}

/** Base64 of bytes (RFC 4648, section 4), for headers. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
