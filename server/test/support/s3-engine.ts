import { randomUUID } from 'node:crypto';
import { S3Store, type S3StoreOptions } from '../../src/storage/s3.ts';

interface S3Engine {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
}

/** The S3 store that the runner of the tests has started, with an empty bucket in it. */
export function readS3Engine(): S3Engine {
  const settings = process.env.HOLDALL_TEST_S3;
  if (settings === undefined) {
    throw new Error('HOLDALL_TEST_S3 does not name an S3 store: `npm test` starts one and sets it.');
  }
  return JSON.parse(settings);
}

/** A place in the engine's bucket that nobody else writes to, unless told otherwise. */
export function s3Options(changes: Partial<S3StoreOptions> = {}): S3StoreOptions {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, forcePathStyle } = readS3Engine();
  return {
    endpoint,
    region,
    bucket,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    prefix: `test/${randomUUID()}`,
    checksums: 'when-required',
    ...changes,
  };
}

export async function makeS3Store(
  changes: Partial<S3StoreOptions> = {},
): Promise<{ store: S3Store; close(): Promise<void> }> {
  const store = new S3Store(s3Options(changes));
  return { store, close: async () => store.close() };
}
