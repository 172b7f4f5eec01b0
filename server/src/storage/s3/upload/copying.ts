import { CopyObjectCommand, UploadPartCopyCommand } from '@aws-sdk/client-s3';
import { Failure } from '../../../base/failure.ts';
import type { S3Bucket } from '../bucket.ts';
import { findS3Object } from '../objects/reading.ts';
import {
  abortUpload,
  beginUncheckedUpload,
  completeAndVerifyUpload,
  type StoredPart,
} from './multipart-requests.ts';
import { evenPartBytes } from './part-sizes.ts';

const GIB = 1024 ** 3;

interface CopySizes {
  /** Objects up to this size are copied with one request (CopyObject allows 5 GiB). */
  readonly wholeBytes: number;
  readonly partBytes: number;
  readonly concurrency: number;
}

interface CopyOptions extends Partial<CopySizes> {
  /** Identifies this copy, see `completeAndVerifyUpload`. */
  readonly writeId: string;
  /** The bucket or prefix of the source, if it differs from the target's. */
  readonly from?: S3Bucket;
  /** Cancels the copy between two requests. */
  readonly signal?: AbortSignal;
}

const MIB = 1024 ** 2;

/** For a copy that can be cancelled at short notice: each request is short. */
export const SHORT_COPY_SIZES: CopySizes = { wholeBytes: 256 * MIB, partBytes: 256 * MIB, concurrency: 4 };

const COPY_SIZES: CopySizes = { wholeBytes: 5 * GIB, partBytes: GIB, concurrency: 4 };

/**
 * Copies an object inside the store, in parts if it is too large for one request.
 * @throws Failure `not-found` for a missing source
 */
export async function copyS3Object(
  bucket: S3Bucket,
  source: string,
  target: string,
  { writeId, from = bucket, signal, ...given }: CopyOptions,
): Promise<void> {
  const location = bucket.location(target);
  const sizes = { ...COPY_SIZES, ...given };
  const found = await findS3Object(from, source);
  if (found === undefined) throw new Failure('not-found', `There is no object ${source}.`);
  const plan = { CopySource: sourceOf(from, source), source, writeId, ...sizes, size: found.size, signal };
  if (found.size > sizes.wholeBytes) return await copyInParts(bucket, target, plan);
  const request = new CopyObjectCommand({ ...location, CopySource: plan.CopySource });
  signal?.throwIfAborted();
  // Not cancelled by the signal: the store may still complete an interrupted request, so the object would
  // appear later.
  await bucket.call((client) => client.send(request), { key: source, kind: 'slowCalls' });
}

interface CopyPlan extends CopySizes {
  readonly CopySource: string;
  readonly source: string;
  readonly writeId: string;
  readonly size: number;
  readonly signal: AbortSignal | undefined;
}

async function copyInParts(
  bucket: S3Bucket,
  target: string,
  { CopySource, source, writeId, size, partBytes, concurrency, signal }: CopyPlan,
): Promise<void> {
  const upload = { key: target, id: await beginUncheckedUpload(bucket, target, writeId) };
  const step = Math.max(partBytes, evenPartBytes(size));
  const numbers = Array.from({ length: Math.ceil(size / step) }, (_, index) => index + 1).values();
  const parts: StoredPart[] = [];
  const copyRemaining = async () => {
    for (const number of numbers) {
      const start = (number - 1) * step;
      const request = new UploadPartCopyCommand({
        ...bucket.location(target),
        UploadId: upload.id,
        PartNumber: number,
        CopySource,
        CopySourceRange: `bytes=${start}-${Math.min(start + step, size) - 1}`,
      });
      signal?.throwIfAborted();
      const { CopyPartResult: copied } = await bucket.call((client) => client.send(request), {
        key: source,
        kind: 'slowCalls',
      });
      if (copied?.ETag === undefined) throw new Error('The object store returned no ETag for a copied part.');
      parts.push({ number, etag: copied.ETag, crc32: copied.ChecksumCRC32 });
    }
  };
  try {
    const workers = await Promise.allSettled(Array.from({ length: concurrency }, copyRemaining));
    const failed = workers.find((worker) => worker.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const inOrder = parts.toSorted((one, other) => one.number - other.number);
    await completeAndVerifyUpload(bucket, upload, inOrder, { writeId, size });
  } catch (error) {
    await abortUpload(bucket, upload).catch(() => {});
    throw error;
  }
}

function sourceOf(bucket: S3Bucket, key: string): string {
  const { Bucket, Key } = bucket.location(key);
  // Keys and prefixes contain no characters that must be escaped in a URL.
  return `${Bucket}/${Key}`;
}
