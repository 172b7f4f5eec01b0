import { Failure } from '../../../base/failure.ts';
import type { AppendOptions, ResumableWrite, ResumableWrites, ResumePoint } from '../../resumable-writes.ts';
import type { S3Bucket } from '../bucket.ts';
import { findS3Object } from '../objects/reading.ts';
import { removeS3Objects } from '../objects/removal.ts';
import {
  abortUpload,
  beginUpload,
  completeUpload,
  isMissingUpload,
  type ListedPart,
  listParts,
  putObject,
} from './multipart-requests.ts';
import { PartBuffer } from './part-buffer.ts';
import { evenPartBytes } from './part-sizes.ts';
import { S3Append } from './resumable-append.ts';

/**
 * Resumable writes in S3: one multipart upload per write. All parts except the last have the same size, which
 * depends on the size of the complete object. Bytes that are too few for a part are stored in a separate
 * object, the tail, until more bytes arrive.
 */
export class S3ResumableWrites implements ResumableWrites {
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
  }

  async begin(key: string): Promise<string> {
    return await beginUpload(this.#bucket, key);
  }

  async append(
    write: ResumableWrite,
    from: ResumePoint,
    source: AsyncIterable<Uint8Array>,
    options: AppendOptions,
  ): Promise<void> {
    const append = new S3Append(this.#bucket, { write, from, source, options });
    try {
      await append.run();
    } finally {
      await append.close();
    }
  }

  async finish(write: ResumableWrite, point: ResumePoint): Promise<void> {
    if (point.size !== write.size) throw missingBytes(write);
    if (write.size === 0) return await this.#finishEmpty(write);
    let fault: unknown;
    try {
      await completeUpload(this.#bucket, write, await this.#findParts(write, point));
    } catch (error) {
      if (!(error instanceof Failure) && !isMissingUpload(error)) throw error;
      fault = error;
    }
    // The upload may be complete despite the error: the response was lost, or `finish` was called before.
    const found = await findS3Object(this.#bucket, write.key);
    if (found?.size === write.size) return;
    throw fault === undefined || isMissingUpload(fault) ? missingBytes(write, fault) : fault;
  }

  async abort(write: ResumableWrite, point: ResumePoint): Promise<void> {
    await abortUpload(this.#bucket, write);
    if (point.tailKey !== null) await removeS3Objects(this.#bucket, [point.tailKey]);
  }

  /** Stores an empty object with a plain request, because a multipart upload cannot be empty. */
  async #finishEmpty(write: ResumableWrite): Promise<void> {
    const empty = new PartBuffer(0);
    await putObject(this.#bucket, this.#bucket.location(write.key), empty.bytes(), await empty.digest());
    await abortUpload(this.#bucket, write);
  }

  /** The parts up to the point. Later parts do not count. */
  async #findParts(write: ResumableWrite, point: ResumePoint): Promise<ListedPart[]> {
    const partBytes = evenPartBytes(write.size);
    const parts: ListedPart[] = [];
    for await (const part of listParts(this.#bucket, write)) {
      if (part.number > point.parts) break;
      const expected = Math.min(partBytes, write.size - parts.length * partBytes);
      if (part.number !== parts.length + 1 || part.size !== expected) throw missingBytes(write);
      parts.push(part);
    }
    if (parts.length !== Math.ceil(write.size / partBytes)) throw missingBytes(write);
    return parts;
  }
}

function missingBytes(write: ResumableWrite, cause?: unknown): Error {
  return new Error(`The object store does not have the ${write.size} bytes of ${write.key}.`, { cause });
}
