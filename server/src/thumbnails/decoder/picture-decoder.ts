import type { Readable } from 'node:stream';
import { SECOND } from '../../base/clock.ts';
import { threadScript } from '../../base/thread-script.ts';
import { DecodingChildren } from './decoding-children.ts';
import { OF_RAW } from './outcomes.ts';

/**
 * The time for decoding, from the last byte of the picture on. A HEIC of 48 megapixels takes 8 seconds on two
 * busy cores.
 */
const DECODING_MS = 20 * SECOND;

/** The time for reading the bytes of a picture, which may come from a distant store. */
const READING_MS = 30 * SECOND;

/** More than an uncompressed thumbnail of the largest size takes. */
const MAX_THUMBNAIL_BYTES = 17 * 1024 ** 2;

interface DecoderRequest {
  /** The longest side of the thumbnail in pixels. */
  readonly size: number;
  /** The size of the picture in bytes. */
  readonly length: number;
  /** Whether the file is a raw photo, whose preview is decoded. */
  readonly isRaw?: boolean;
}

/**
 * Makes thumbnails in child processes. The caller limits how many pictures are decoded at the same time.
 */
export class PictureDecoder {
  readonly #children: DecodingChildren;

  /** @param limits shorter times; only tests set them */
  constructor({ decodingMs = DECODING_MS, readingMs = READING_MS } = {}) {
    this.#children = new DecodingChildren(
      {
        script: threadScript('decoder-process', import.meta.url),
        maxPictureBytes: MAX_THUMBNAIL_BYTES,
        isPicture: isWebp,
      },
      { workMs: decodingMs, readingMs },
    );
  }

  /** The number of running processes, including idle ones. */
  get processCount(): number {
    return this.#children.processCount;
  }

  /** The ids of the processes, for tests. */
  get processIds(): readonly number[] {
    return this.#children.processIds;
  }

  /**
   * @param open opens the bytes of the picture, or of a document with a picture
   * @returns a WebP
   * @throws see `DecodingChildren`
   */
  async decode(
    { size, length, isRaw = false }: DecoderRequest,
    open: () => Promise<Readable>,
  ): Promise<Buffer> {
    return await this.#children.decode({ parameter: isRaw ? size + OF_RAW : size, length }, open);
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    await this.#children.close();
  }
}

function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
}
