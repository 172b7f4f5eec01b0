import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type CreateMultipartUploadCommandInput,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { ByteDigest } from '../../../base/bytes/byte-streams.ts';
import type { Instant } from '../../../base/clock.ts';
import { Failure } from '../../../base/failure.ts';
import type { MultipartUpload } from '../../direct-transfers.ts';
import type { S3Bucket } from '../bucket.ts';
import { storeCodeOf } from '../failures.ts';
import { changeHeaders } from '../headers.ts';
import { findS3Object, toInstant, WRITE_ID_METADATA } from '../objects/reading.ts';
import type { PartBuffer } from './part-buffer.ts';

export interface StoredPart {
  /** From 1. */
  readonly number: number;
  readonly etag: string;
  /** The checksum that the store returned, if it stores checksums. */
  readonly crc32?: string | undefined;
}

export interface ListedPart extends StoredPart {
  readonly size: number;
  readonly modifiedAt: Instant;
}

/** Stores an object with one request. It is complete and visible when the promise resolves. */
export async function putObject(
  bucket: S3Bucket,
  location: { readonly Bucket: string; readonly Key: string },
  bytes: Buffer,
  digest: ByteDigest,
): Promise<void> {
  const request = new PutObjectCommand({
    ...location,
    Body: bytes,
    ContentLength: bytes.byteLength,
    ...checksumOf(bucket, digest),
  });
  addPayloadHash(request, digest);
  await bucket.call((client) => client.send(request));
}

/**
 * Begins an upload whose parts are sent by `sendPart`.
 * @param writeId is stored with the object, see `completeAndVerifyUpload`
 * @returns the id of the upload
 */
export async function beginUpload(bucket: S3Bucket, key: string, writeId?: string): Promise<string> {
  return await createUpload(bucket, key, {
    ...(writeId === undefined ? {} : { Metadata: { [WRITE_ID_METADATA]: writeId } }),
    // Without this the store rejects parts that carry a checksum.
    ...(bucket.hasChecksums ? { ChecksumAlgorithm: 'CRC32' } : {}),
  });
}

/**
 * Begins an upload whose parts are sent by clients or copied from other objects. Such parts have no checksum
 * from us.
 */
export async function beginUncheckedUpload(bucket: S3Bucket, key: string, writeId?: string): Promise<string> {
  return await createUpload(
    bucket,
    key,
    writeId === undefined ? {} : { Metadata: { [WRITE_ID_METADATA]: writeId } },
  );
}

export async function sendPart(
  bucket: S3Bucket,
  upload: MultipartUpload,
  { number, part, signal }: { number: number; part: PartBuffer; signal?: AbortSignal },
): Promise<StoredPart> {
  const digest = await part.digest();
  const request = new UploadPartCommand({
    ...bucket.location(upload.key),
    UploadId: upload.id,
    PartNumber: number,
    Body: part.bytes(),
    ContentLength: part.size,
    ...checksumOf(bucket, digest),
  });
  addPayloadHash(request, digest);
  const response = await bucket.call((client, options) => client.send(request, options), {
    key: upload.key,
    ...(signal === undefined ? {} : { signal }),
  });
  if (response.ETag === undefined) throw new Error('The object store returned no ETag for a part.');
  return { number, etag: response.ETag, crc32: response.ChecksumCRC32 };
}

export async function* listParts(bucket: S3Bucket, upload: MultipartUpload): AsyncGenerator<ListedPart> {
  let marker: string | undefined;
  do {
    const request = new ListPartsCommand({
      ...bucket.location(upload.key),
      UploadId: upload.id,
      PartNumberMarker: marker,
    });
    const page = await bucket.call((client) => client.send(request), { key: upload.key });
    for (const part of page.Parts ?? []) {
      yield {
        number: part.PartNumber ?? 0,
        etag: part.ETag ?? '',
        crc32: part.ChecksumCRC32,
        size: part.Size ?? 0,
        modifiedAt: toInstant(part.LastModified),
      };
    }
    marker = page.IsTruncated === true ? page.NextPartNumberMarker : undefined;
  } while (marker !== undefined);
}

/** Throws even if the store responds with 200 and reports an error in the body: the SDK checks that. */
export async function completeUpload(
  bucket: S3Bucket,
  upload: MultipartUpload,
  parts: readonly StoredPart[],
): Promise<void> {
  const request = new CompleteMultipartUploadCommand({
    ...bucket.location(upload.key),
    UploadId: upload.id,
    MultipartUpload: {
      Parts: parts.map(({ number, etag, crc32 }) => ({
        PartNumber: number,
        ETag: etag,
        ...(crc32 === undefined ? {} : { ChecksumCRC32: crc32 }),
      })),
    },
  });
  await bucket.call((client) => client.send(request), { key: upload.key, kind: 'slowCalls' });
}

/**
 * Completes an upload that was begun with a write id, and verifies the object. When the response to a
 * successful request is lost, the SDK's next attempt fails because the upload no longer exists. The write id
 * of the object then shows whether it is this upload's object or an older one.
 */
export async function completeAndVerifyUpload(
  bucket: S3Bucket,
  upload: MultipartUpload,
  parts: readonly StoredPart[],
  expected: { readonly writeId: string; readonly size: number },
): Promise<void> {
  const fault = await completeUpload(bucket, upload, parts).then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  const found = await findS3Object(bucket, upload.key).catch((error: unknown) => {
    throw fault === undefined ? error : fault.error;
  });
  if (found?.writeId === expected.writeId && found.size === expected.size) return;
  // The upload made no progress for so long that it was removed as abandoned, or the store has lost it.
  if (fault !== undefined) throw isMissingUpload(fault.error) ? lostWrite(fault.error) : fault.error;
  // The upload was completed. An object with another write id comes from a later write to the same key.
  if (found === undefined || found.writeId === expected.writeId)
    throw lostWrite(new Error('The stored object is incomplete.'));
}

/** Not an error if the upload does not exist. */
export async function abortUpload(bucket: S3Bucket, upload: MultipartUpload): Promise<void> {
  const request = new AbortMultipartUploadCommand({ ...bucket.location(upload.key), UploadId: upload.id });
  try {
    await bucket.call((client) => client.send(request), { key: upload.key });
  } catch (error) {
    if (!isMissingUpload(error)) throw error;
  }
}

/** For the parts of a missing upload, Ceph reports a missing key if the object does not exist either. */
export function isMissingUpload(error: unknown): boolean {
  const code = storeCodeOf(error);
  return code === 'NoSuchUpload' || code === 'NoSuchKey' || code === 'NotFound';
}

export function lostWrite(cause: unknown): Failure {
  return new Failure('unavailable', 'The write was lost.', { retryAfterSeconds: 5, cause });
}

async function createUpload(
  bucket: S3Bucket,
  key: string,
  settings: Pick<CreateMultipartUploadCommandInput, 'Metadata' | 'ChecksumAlgorithm'>,
): Promise<string> {
  const request = new CreateMultipartUploadCommand({ ...bucket.location(key), ...settings });
  const { UploadId: id } = await bucket.call((client) => client.send(request), { key });
  if (id === undefined) throw new Error('The object store returned no id for a new upload.');
  return id;
}

function checksumOf(bucket: S3Bucket, { crc32 }: ByteDigest): { ChecksumCRC32?: string } {
  if (!bucket.hasChecksums) return {};
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32);
  return { ChecksumCRC32: bytes.toString('base64') };
}

/**
 * The signature includes the SHA-256 of the body. Setting it here saves the SDK from reading the bytes again.
 */
function addPayloadHash(command: PutObjectCommand | UploadPartCommand, { sha256 }: ByteDigest): void {
  changeHeaders(command, (headers) => {
    headers['x-amz-content-sha256'] = sha256;
  });
}
