import { Readable } from 'node:stream';
import { GetObjectCommand, type GetObjectCommandOutput, HeadObjectCommand } from '@aws-sdk/client-s3';
import { type ByteRange, lengthOf } from '../../../base/bytes/byte-range.ts';
import { SECOND } from '../../../base/clock.ts';
import type { StoredObject } from '../../object-store.ts';
import type { S3Bucket } from '../bucket.ts';
import { isMissingObject, storeCodeOf } from '../failures.ts';
import { DownloadStream } from './download-stream.ts';

export async function openS3Object(
  bucket: S3Bucket,
  key: string,
  range?: ByteRange,
): Promise<DownloadStream> {
  const location = bucket.location(key);
  if (range !== undefined) checkRange(key, range);
  const asked = range === undefined ? {} : { Range: `bytes=${range.start}-${range.end}` };
  try {
    const answer = await bucket.call(
      (client, options) => client.send(new GetObjectCommand({ ...location, ...asked }), options),
      { key, kind: 'downloads' },
    );
    return toStream(answer, key, range);
  } catch (error) {
    throw storeCodeOf(error) === 'InvalidRange' ? outside(key, range, error) : error;
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

/** What a write has put on its object, to know it again. */
export interface FoundObject extends StoredObject {
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
    if (isMissingObject(error)) return undefined;
    throw error;
  }
}

/** The name under which a write's writeId is kept among the object's metadata. */
export const WRITE_ID_METADATA = 'holdall-write';

/** Of an object that came in parts: its tag says so, and its date may be that of the beginning. */
export function toModificationTime(object: {
  readonly LastModified?: Date | undefined;
  readonly ETag?: string | undefined;
}): Pick<StoredObject, 'modifiedAt' | 'isDatedByWriteStart'> {
  const modifiedAt = toInstant(object.LastModified);
  return object.ETag?.includes('-') ? { modifiedAt, isDatedByWriteStart: true } : { modifiedAt };
}

/** Listings tell milliseconds, single objects whole seconds: one and the same object has one time. */
export function toInstant(modified: Date | undefined): number {
  return Math.floor((modified?.getTime() ?? 0) / SECOND) * SECOND;
}

/** Looked at before anyone is told a length: stores give what they have of a range that reaches over the end. */
function toStream(
  { Body: body, ContentLength: size, ContentRange: given }: GetObjectCommandOutput,
  key: string,
  range: ByteRange | undefined,
): DownloadStream {
  // In Node.js, the SDK's streams are those of Node.js.
  if (!(body instanceof Readable)) throw new Error(`The answer for ${key} has no body.`);
  const isAsAsked = range === undefined || given?.startsWith(`bytes ${range.start}-${range.end}/`) === true;
  if (size === undefined || !isAsAsked || (range !== undefined && size !== lengthOf(range))) {
    body.on('error', () => {}).destroy();
    throw outside(key, range);
  }
  return new DownloadStream(body, size);
}

/** Ranges come from what the records say of an object, so a wrong one is our own fault or the store's. */
function checkRange(key: string, range: ByteRange): void {
  const { start, end } = range;
  if (!(Number.isSafeInteger(start) && Number.isSafeInteger(end) && 0 <= start && start <= end)) {
    throw outside(key, range);
  }
}

function outside(key: string, range: ByteRange | undefined, cause?: unknown): RangeError {
  return new RangeError(`The object ${key} has no bytes ${range?.start}-${range?.end}.`, { cause });
}
