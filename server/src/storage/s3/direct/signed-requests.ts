import { GetObjectCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { Failure } from '../../../base/failure.ts';
import type {
  DirectTransfers,
  MultipartUpload,
  RecordedPart,
  SignedDownload,
  SignedRequest,
} from '../../direct-transfers.ts';
import type { S3Bucket } from '../bucket.ts';
import { storeCodeOf } from '../failures.ts';
import { findS3Object } from '../objects/reading.ts';
import {
  abortUpload,
  beginUncheckedUpload,
  completeUpload,
  isMissingUpload,
  listParts,
} from '../upload/multipart-requests.ts';
import { MAX_PART_BYTES, MAX_PARTS, MIN_PART_BYTES } from '../upload/part-sizes.ts';

/** Errors of the store about the parts of an upload, with our message. */
const WRONG_PARTS: ReadonlyMap<string, string> = new Map([
  ['InvalidPart', 'A part is missing or differs from the recorded one.'],
  ['InvalidPartOrder', 'The parts are not in order.'],
  ['EntityTooSmall', 'A part other than the last one is too small.'],
  ['EntityTooLarge', 'The parts together are too large.'],
  ['MalformedXML', 'The parts cannot be joined.'],
  ['InvalidRequest', 'The parts cannot be joined.'],
  ['InvalidArgument', 'The parts cannot be joined.'],
]);

/** Lets clients upload and download directly, by signed URLs of the bucket. */
export class S3DirectTransfers implements DirectTransfers {
  readonly maxPutBytes = MAX_PART_BYTES;
  readonly maxPartBytes = MAX_PART_BYTES;
  readonly minPartBytes = MIN_PART_BYTES;
  readonly maxParts = MAX_PARTS;
  readonly #bucket: S3Bucket;

  constructor(bucket: S3Bucket) {
    this.#bucket = bucket;
  }

  async signPut(key: string, size: number, lifetimeMs: number): Promise<SignedRequest> {
    checkSize(size, this.maxPutBytes);
    const request = new PutObjectCommand({
      ...this.#bucket.location(key),
      ContentLength: size,
      // The URL may outlive the upload session, and must not overwrite the finished object.
      IfNoneMatch: '*',
    });
    const url = await this.#bucket.sign(lifetimeMs, (client, options) =>
      getSignedUrl(client, request, options),
    );
    return { url, method: 'PUT', headers: { 'if-none-match': '*' } };
  }

  async signGet(key: string, download: SignedDownload, lifetimeMs: number): Promise<string> {
    if (!/^attachment(?:;|$)/.test(download.disposition))
      throw new Error('A download must be an attachment.');
    const request = new GetObjectCommand({
      ...this.#bucket.location(key),
      ResponseContentDisposition: download.disposition,
      ResponseContentType: download.contentType,
    });
    return await this.#bucket.sign(lifetimeMs, (client, options) => getSignedUrl(client, request, options));
  }

  async beginMultipart(key: string): Promise<string> {
    return await beginUncheckedUpload(this.#bucket, key);
  }

  async signPart(
    upload: MultipartUpload,
    part: { readonly number: number; readonly size: number },
    lifetimeMs: number,
  ): Promise<SignedRequest> {
    checkSize(part.size, this.maxPartBytes);
    if (!(Number.isInteger(part.number) && 1 <= part.number && part.number <= this.maxParts)) {
      throw new RangeError(`The part number ${part.number} is invalid.`);
    }
    const request = new UploadPartCommand({
      ...this.#bucket.location(upload.key),
      UploadId: upload.id,
      PartNumber: part.number,
      ContentLength: part.size,
    });
    const url = await this.#bucket.sign(lifetimeMs, (client, options) =>
      getSignedUrl(client, request, options),
    );
    return { url, method: 'PUT', headers: {} };
  }

  async completeMultipart(upload: MultipartUpload, parts: readonly RecordedPart[]): Promise<void> {
    checkParts(parts);
    const named = parts.map(({ number, etag }) => ({ number, etag: quoted(etag) }));
    try {
      await completeUpload(this.#bucket, upload, named);
    } catch (error) {
      const fault = WRONG_PARTS.get(storeCodeOf(error));
      if (fault !== undefined) throw new Failure('rejected', fault, { cause: error });
      if (!(await this.#isGone(upload, error))) throw error;
      if ((await findS3Object(this.#bucket, upload.key)) !== undefined) return;
      throw new Failure('rejected', 'The object store does not know this upload.', { cause: error });
    }
  }

  async abortMultipart(upload: MultipartUpload): Promise<void> {
    await abortUpload(this.#bucket, upload);
  }

  /** Ceph reports an internal error for a missing upload, so that case needs a second request. */
  async #isGone(upload: MultipartUpload, error: unknown): Promise<boolean> {
    if (isMissingUpload(error)) return true;
    if (storeCodeOf(error) !== 'InternalError') return false;
    try {
      for await (const _part of listParts(this.#bucket, upload)) break;
      return false;
    } catch (otherError) {
      return isMissingUpload(otherError);
    }
  }
}

/** Some stores do not check the order themselves. */
function checkParts(parts: readonly RecordedPart[]): void {
  if (parts.length === 0) throw new Failure('rejected', 'There are no parts.');
  const isOrdered = parts.every(({ number }, index) => number > (parts[index - 1]?.number ?? 0));
  if (!isOrdered) throw new Failure('rejected', 'The parts are not in order.');
}

function checkSize(size: number, maxSize: number): void {
  if (!(Number.isSafeInteger(size) && 0 <= size && size <= maxSize)) {
    throw new RangeError(`${size} bytes cannot be sent in one request.`);
  }
}

/** Some clients send the ETag header unchanged, others only the text between its quotes. */
function quoted(etag: string): string {
  return `"${etag.replace(/^W\//, '').replaceAll('"', '')}"`;
}
