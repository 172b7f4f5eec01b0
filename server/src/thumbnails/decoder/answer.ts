/*
 * The messages between the service and a decoder process, which they send over the pipes of the process.
 *
 * A request is a head of eight bytes and the picture. The head has the size of the thumbnail and the length
 * of the picture. An answer is a head of nine bytes and the thumbnail. The head says whether the picture was
 * decoded, how much memory the process takes, and how long the thumbnail is. Before its first answer the
 * process sends one byte, once it is ready.
 */

export const READY = Buffer.from([1]);

export const REQUEST_HEAD_BYTES = 8;
const ANSWER_HEAD_BYTES = 9;

/** More than an uncompressed thumbnail of the largest size takes. */
const MAX_THUMBNAIL_BYTES = 17 * 1024 ** 2;

export interface DecoderRequest {
  /** The longest side of the thumbnail in pixels. */
  readonly size: number;
  /** The size of the picture in bytes. */
  readonly length: number;
}

export interface DecoderAnswer {
  /** Undefined if the bytes cannot be decoded as a picture, or decoding takes too much memory. */
  readonly thumbnail: Buffer | undefined;
  /** The memory that the process takes after the work, in bytes. */
  readonly memoryBytes: number;
}

export function toRequestHead({ size, length }: DecoderRequest): Buffer {
  const head = Buffer.alloc(REQUEST_HEAD_BYTES);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(length, 4);
  return head;
}

export function readRequestHead(head: Buffer): DecoderRequest {
  return { size: head.readUInt32BE(0), length: head.readUInt32BE(4) };
}

export function toAnswer({ thumbnail, memoryBytes }: DecoderAnswer): Buffer {
  const head = Buffer.alloc(ANSWER_HEAD_BYTES);
  head.writeUInt8(thumbnail === undefined ? 0 : 1, 0);
  head.writeUInt32BE(Math.min(Math.ceil(memoryBytes / 1024), 2 ** 32 - 1), 1);
  head.writeUInt32BE(thumbnail?.length ?? 0, 5);
  return thumbnail === undefined ? head : Buffer.concat([head, thumbnail]);
}

/**
 * Reads an answer; undefined while bytes of it are missing.
 * @throws Error if the bytes are not an answer, since a picture may have taken over the process
 */
export function readAnswer(bytes: Buffer): DecoderAnswer | undefined {
  if (bytes.length < ANSWER_HEAD_BYTES) return undefined;
  const length = bytes.readUInt32BE(5);
  const isDecoded = bytes.readUInt8(0) === 1;
  const thumbnail = bytes.subarray(ANSWER_HEAD_BYTES);
  if (length > MAX_THUMBNAIL_BYTES || thumbnail.length > length || (isDecoded && !isWebp(thumbnail))) {
    throw new Error('The decoder process sent something else than a thumbnail.');
  }
  if (thumbnail.length < length) return undefined;
  return { thumbnail: isDecoded ? thumbnail : undefined, memoryBytes: bytes.readUInt32BE(1) * 1024 };
}

/** Whether the bytes, which may be few or none, can be the beginning of a WebP file. */
function isWebp(bytes: Buffer): boolean {
  const text = bytes.toString('latin1', 0, 12);
  return 'RIFF'.startsWith(text.slice(0, 4)) && 'WEBP'.startsWith(text.slice(8));
}
