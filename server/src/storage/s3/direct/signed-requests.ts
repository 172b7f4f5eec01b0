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

/** What the store says of parts that it does not have so. */
const WRONG_PARTS: ReadonlyMap<string, string> = new Map([
  ['InvalidPart', 'A part is missing or is not the one that was recorded.'],
  ['InvalidPartOrder', 'The parts are not in order.'],
  ['EntityTooSmall', 'A part that is not the last is too small.'],
  ['EntityTooLarge', 'The parts are too large together.'],
  ['MalformedXML', 'The parts cannot be put together.'],
  ['InvalidRequest', 'The parts cannot be put together.'],
  ['InvalidArgument', 'The parts cannot be put together.'],
]);

/** Clients put and get by signed addresses, which no proxy of ours sees. */
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
      // The address may outlive the session: it must not replace what came of it.
      IfNoneMatch: '*',
    });
    const url = await this.#bucket.sign(lifetimeMs, (client, options) =>
      getSignedUrl(client, request, options),
    );
    return { url, method: 'PUT', headers: { 'if-none-match': '*' } };
  }

  async signGet(key: string, download: SignedDownload, lifetimeMs: number): Promise<string> {
    if (!/^attachment(?:;|$)/.test(download.disposition))
      throw new Error('A download has to be an attachment.');
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
      throw new RangeError(`There is no part ${part.number}.`);
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
      throw new Failure('rejected', 'The object store knows no such upload.', { cause: error });
    }
  }

  async abortMultipart(upload: MultipartUpload): Promise<void> {
    await abortUpload(this.#bucket, upload);
  }

  /** Ceph says of an upload that is not there that the store has an internal error. */
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

/** Not every store looks at the order. */
function checkParts(parts: readonly RecordedPart[]): void {
  if (parts.length === 0) throw new Failure('rejected', 'There are no parts.');
  const isOrdered = parts.every(({ number }, index) => number > (parts[index - 1]?.number ?? 0));
  if (!isOrdered) throw new Failure('rejected', 'The parts are not in order.');
}

function checkSize(size: number, most: number): void {
  if (!(Number.isSafeInteger(size) && 0 <= size && size <= most)) {
    throw new RangeError(`${size} bytes cannot be put in one request.`);
  }
}

/** Some clients hand on the header as it is, others what stands between the quotes. */
function quoted(etag: string): string {
  return `"${etag.replace(/^W\//, '').replaceAll('"', '')}"`;
}
