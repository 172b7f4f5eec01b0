import type { Readable } from 'node:stream';
import { releasingChunks } from '../../base/bytes/byte-streams.ts';
import { SECOND } from '../../base/clock.ts';
import { threadScript } from '../../base/thread-script.ts';
import { BoundedChildren, ChildCrashed, ChildInterrupted } from '../../child-processes/bounded-children.ts';
import type { ChildAnswer } from '../../child-processes/messages.ts';
import { DECODED } from './outcomes.ts';

/**
 * The time for decoding, from the last byte of the picture on. A HEIC of 48 megapixels takes 8 seconds on two
 * busy cores.
 */
const DECODING_MS = 20 * SECOND;

/** The time for reading the bytes of a picture, which may come from a distant store. */
const READING_MS = 30 * SECOND;

/** More than an uncompressed thumbnail of the largest size takes. */
const MAX_THUMBNAIL_BYTES = 17 * 1024 ** 2;

/** There is no thumbnail, because the bytes are not a picture or decoding it takes too much memory. */
export class Undecodable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Undecodable';
  }
}

/** The picture could not be decoded in time. It was made to be slow, or the computer is busy. */
export class DecodingInterrupted extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DecodingInterrupted';
  }
}

interface DecoderRequest {
  /** The longest side of the thumbnail in pixels. */
  readonly size: number;
  /** The size of the picture in bytes. */
  readonly length: number;
}

/**
 * Makes thumbnails in child processes. The caller limits how many pictures are decoded at the same time.
 */
export class PictureDecoder {
  readonly #children: BoundedChildren<Decoded>;

  /** @param limits shorter times; only tests set them */
  constructor({ decodingMs = DECODING_MS, readingMs = READING_MS } = {}) {
    this.#children = new BoundedChildren(
      {
        script: threadScript('decoder-process', import.meta.url),
        answers: { maxBodyBytes: MAX_THUMBNAIL_BYTES, read: toDecoded },
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
   * @param open opens the bytes of the picture, which must be `request.length` bytes
   * @returns a WebP
   * @throws Undecodable; DecodingInterrupted; ChildMisbehaved; Failure `unavailable`; an error of the source
   */
  async decode({ size, length }: DecoderRequest, open: () => Promise<Readable>): Promise<Buffer> {
    const source = await open();
    try {
      const request = { parameter: size, length };
      const { thumbnail } = await this.#children.process(request, releasingChunks(source));
      if (thumbnail === undefined) throw new Undecodable('The bytes are not a picture.');
      return thumbnail;
    } catch (error) {
      if (error instanceof ChildCrashed) throw new Undecodable(error.message);
      if (error instanceof ChildInterrupted) throw new DecodingInterrupted(error.message);
      throw error;
    } finally {
      source.destroy();
    }
  }

  /** Ends all processes, and never starts new ones. */
  async close(): Promise<void> {
    await this.#children.close();
  }
}

interface Decoded {
  /** Undefined if the bytes are not a picture. */
  readonly thumbnail: Buffer | undefined;
}

function toDecoded({ outcome, body }: ChildAnswer): Decoded | undefined {
  if (outcome !== DECODED) return body.length === 0 ? { thumbnail: undefined } : undefined;
  const isThumbnail = body.toString('latin1', 0, 4) === 'RIFF' && body.toString('latin1', 8, 12) === 'WEBP';
  return isThumbnail ? { thumbnail: body } : undefined;
}
