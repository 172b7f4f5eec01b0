import { randomUUID } from 'node:crypto';
import { S3Store, type S3StoreOptions } from '../../../src/storage/s3/s3.ts';
import type { StoreUnderTest } from './contract/object-store-contract.ts';

interface S3StoreUnderTest extends StoreUnderTest {
  readonly store: S3Store;
}

interface S3Engine {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly forcePathStyle: boolean;
}

/** The S3 store that the test runner has started, with an empty bucket. */
export function readS3Engine(): S3Engine {
  const settings = process.env.HOLDALL_TEST_S3;
  if (settings === undefined) {
    throw new Error('HOLDALL_TEST_S3 does not name an S3 store: `npm test` starts one and sets it.');
  }
  return JSON.parse(settings);
}

/** Options for a store under an unused prefix of the test bucket, unless `changes` override it. */
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

/** Opens a store, whose further instances share its options and are closed with it. */
export async function makeS3Store(changes: Partial<S3StoreOptions> = {}): Promise<S3StoreUnderTest> {
  const options = s3Options(changes);
  const opened: S3Store[] = [];
  const reopen = () => {
    const store = new S3Store(options);
    opened.push(store);
    return store;
  };
  return {
    store: reopen(),
    reopen,
    close: async () => {
      for (const store of opened) store.close();
    },
  };
}
