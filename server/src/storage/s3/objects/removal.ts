import { DeleteObjectCommand, DeleteObjectsCommand } from '@aws-sdk/client-s3';
import type { S3Bucket } from '../bucket.ts';
import { translateS3Error } from '../failures.ts';
import { addMd5 } from '../headers.ts';

/** The maximum number of keys in one DeleteObjects request. */
const MAX_BATCH_KEYS = 1_000;

export async function removeS3Objects(bucket: S3Bucket, keys: readonly string[]): Promise<void> {
  const paths = [...new Set(keys.map((key) => bucket.location(key).Key))];
  for (let from = 0; from < paths.length; from += MAX_BATCH_KEYS) {
    await removePaths(bucket, paths.slice(from, from + MAX_BATCH_KEYS));
  }
}

/** Removes at most 1,000 objects. A missing one is not an error. */
export async function removePaths(bucket: S3Bucket, paths: readonly string[]): Promise<void> {
  const [first, second] = paths;
  if (first === undefined) return;
  if (second === undefined) {
    const request = new DeleteObjectCommand({ Bucket: bucket.name, Key: first });
    await bucket.call((client) => client.send(request));
    return;
  }
  const request = new DeleteObjectsCommand({
    Bucket: bucket.name,
    Delete: { Objects: paths.map((Key) => ({ Key })), Quiet: true },
  });
  addMd5(request);
  const { Errors: errors = [] } = await bucket.call((client) => client.send(request));
  const [fault] = errors.filter(({ Code }) => Code !== 'NoSuchKey');
  if (fault === undefined) return;
  const error = Object.assign(new Error(`${fault.Message ?? fault.Code}`), { name: fault.Code ?? 'Error' });
  throw translateS3Error(error, { bucket: bucket.name });
}
