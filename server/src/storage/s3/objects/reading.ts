import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, HeadObjectCommand } from '@aws-sdk/client-s3';
import { type ByteRange, lengthOf } from '../../../base/bytes/byte-range.ts';
import { SECOND } from '../../../base/clock.ts';
import { isNotFound } from '../../../base/failure.ts';
import type { StoredObject } from '../../object-store.ts';
import type { S3Bucket } from '../bucket.ts';
import { storeCodeOf } from '../failures.ts';
import { DownloadStream } from './download-stream.ts';

export async function openS3Object(
  bucket: S3Bucket,
  key: string,
  range?: ByteRange,
): Promise<DownloadStream> {
  const location = bucket.location(key);
  if (range !== undefined) checkRange(key, range);
  const rangeHeader = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  try {
    const response = await bucket.call(
      (client, options) => client.send(new GetObjectCommand({ ...location, ...rangeHeader }), options),
      { key, kind: 'downloads' },
    );
    return toStream(response, key, range);
  } catch (error) {
    throw storeCodeOf(error) === 'InvalidRange' ? outOfRange(key, range, error) : error;
  }
}

export async function readS3Object(bucket: S3Bucket, key: string, range: ByteRange): Promise<Buffer> {
  const stream = await openS3Object(bucket, key, range);
  const bytes = Buffer.allocUnsafe(lengthOf(range));
  let size = 0;
  for await (const chunk of stream) {
    bytes.set(chunk, size);
    size += chunk.byteLength;
  }
  return bytes;
}

interface FoundObject extends StoredObject {
  /** Identifies the write that created the object, if that write was a multipart upload of this program. */
  readonly writeId: string | undefined;
}

export async function findS3Object(bucket: S3Bucket, key: string): Promise<FoundObject | undefined> {
  const location = bucket.location(key);
  try {
    const found = await bucket.call((client) => client.send(new HeadObjectCommand(location)), { key });
    return {
      key,
      size: found.ContentLength ?? 0,
      ...toModificationTime(found),
      writeId: found.Metadata?.[WRITE_ID_METADATA],
    };
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The metadata name that holds the id of the write that created the object. */
export const WRITE_ID_METADATA = 'holdall-write';

/**
 * The ETag of an object from a multipart upload contains a `-`. The store may date such an object by the
 * start of its upload.
 */
export function toModificationTime(object: {
  readonly LastModified?: Date | undefined;
  readonly ETag?: string | undefined;
}): Pick<StoredObject, 'modifiedAt' | 'isDatedByWriteStart'> {
  const modifiedAt = toInstant(object.LastModified);
  return object.ETag?.includes('-') ? { modifiedAt, isDatedByWriteStart: true } : { modifiedAt };
}

/**
 * Rounds down to seconds. Listings have milliseconds and single objects have seconds, but both must yield the
 * same time.
 */
export function toInstant(modified: Date | undefined): number {
  return Math.floor((modified?.getTime() ?? 0) / SECOND) * SECOND;
}

/**
 * Checks the response before the caller announces a length: for a range that reaches beyond the end, stores
 * return only the bytes that exist.
 */
function toStream(
  { Body: body, ContentLength: size, ContentRange: returnedRange }: GetObjectCommandOutput,
  key: string,
  range: ByteRange | undefined,
): DownloadStream {
  // On Node.js the body is a Node.js stream.
  if (!(body instanceof Readable)) throw new Error(`The response for ${key} has no body.`);
  const isRequestedRange =
    range === undefined || returnedRange?.startsWith(`bytes ${range.start}-${range.end}/`) === true;
  if (size === undefined || !isRequestedRange || (range !== undefined && size !== lengthOf(range))) {
    body.on('error', () => {}).destroy();
    throw outOfRange(key, range);
  }
  return new DownloadStream(body, size);
}

/**
 * Callers compute ranges from the recorded size. So a wrong range is a bug or a fault of the store, not a
 * client's mistake.
 */
function checkRange(key: string, range: ByteRange): void {
  const { start, end } = range;
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end)) {
    throw outOfRange(key, range);
  }
}

function outOfRange(key: string, range: ByteRange | undefined, cause?: unknown): RangeError {
  return new RangeError(`The object ${key} has no bytes ${range?.start}-${range?.end}.`, { cause });
}
