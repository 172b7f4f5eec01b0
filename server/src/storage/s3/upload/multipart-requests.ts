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
  /** As the store told it, where it keeps one. */
  readonly crc32?: string | undefined;
}

export interface ListedPart extends StoredPart {
  readonly size: number;
  readonly modifiedAt: Instant;
}

/** The object is whole and visible when the promise resolves. */
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
 * @param writeId goes on the object, see completeAndVerifyUpload
 * @returns the upload's id; its parts come from `sendPart`
 */
export async function beginUpload(bucket: S3Bucket, key: string, writeId?: string): Promise<string> {
  return await createUpload(bucket, key, {
    ...(writeId === undefined ? {} : { Metadata: { [WRITE_ID_METADATA]: writeId } }),
    // Announced here, or the store refuses parts that bring one.
    ...(bucket.hasChecksums ? { ChecksumAlgorithm: 'CRC32' } : {}),
  });
}

/** An upload whose parts come from clients, or from other objects: without a checksum of ours. */
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
  number: number,
  part: PartBuffer,
  signal?: AbortSignal,
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
  const answer = await bucket.call((client, options) => client.send(request, options), {
    key: upload.key,
    ...(signal === undefined ? {} : { signal }),
  });
  if (answer.ETag === undefined) throw new Error('The object store has taken a part without an ETag.');
  return { number, etag: answer.ETag, crc32: answer.ChecksumCRC32 };
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

/** The SDK sees to stores that say 200 first and the error then. */
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
 * Completes an upload that `beginUpload` has marked, and looks at what has become of it. An answer can be lost, and the
 * SDK's next attempt then hears that there is no such upload; the writeId tells our object from one that was there before.
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
  // Either it was silent for so long that somebody has swept it away, or the store has lost it.
  if (fault !== undefined) throw isMissingUpload(fault.error) ? lostWrite(fault.error) : fault.error;
  // Complete it was, so another writeId is that of a later write to the same key.
  if (found === undefined || found.writeId === expected.writeId)
    throw lostWrite(new Error('The object is not whole.'));
}

/** No error where nothing is. */
export async function abortUpload(bucket: S3Bucket, upload: MultipartUpload): Promise<void> {
  const request = new AbortMultipartUploadCommand({ ...bucket.location(upload.key), UploadId: upload.id });
  try {
    await bucket.call((client) => client.send(request), { key: upload.key });
  } catch (error) {
    if (!isMissingUpload(error)) throw error;
  }
}

/** Where there is no object either, Ceph says of parts that they have no such key. */
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
  if (id === undefined) throw new Error('The object store has begun an upload without an id.');
  return id;
}

function checksumOf(bucket: S3Bucket, { crc32 }: ByteDigest): { ChecksumCRC32?: string } {
  if (!bucket.hasChecksums) return {};
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32);
  return { ChecksumCRC32: bytes.toString('base64') };
}

/** Spares the SDK a second pass over the bytes: the signature wants the SHA-256 of the body. */
function addPayloadHash(command: PutObjectCommand | UploadPartCommand, { sha256 }: ByteDigest): void {
  changeHeaders(command, (headers) => {
    headers['x-amz-content-sha256'] = sha256;
  });
}
