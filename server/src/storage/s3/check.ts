import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { Failure } from '../../base/failure.ts';
import type { S3Bucket } from './bucket.ts';
import { removePaths } from './removal.ts';

/** Writes, reads and removes a probe where no listing shows it. */
export async function checkS3Bucket(bucket: S3Bucket, name: string): Promise<void> {
  const place = bucket.probePlace(name);
  await bucket.ask((client) => client.send(new PutObjectCommand({ ...place, Body: name })));
  try {
    const { Body: body } = await bucket.ask((client) => client.send(new GetObjectCommand(place)), {
      key: name,
    });
    const found = body instanceof Readable ? await buffer(body) : undefined;
    if (found?.toString() !== name) {
      throw new Failure('unavailable', 'The object store gives back other bytes.', { retryAfterSeconds: 5 });
    }
  } finally {
    await removePaths(bucket, [place.Key]).catch(() => {});
  }
}
