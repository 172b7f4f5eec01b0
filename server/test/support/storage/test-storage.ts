import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { S3Settings } from '../../../../tools/engines/s3/s3-client.ts';

/**
 * The storage of this test run: the bucket whose settings the test runner puts into `HOLDALL_TEST_S3`, or the
 * local disk if that is not set, as for a test file that is run by hand.
 */
const settings = readSettings(process.env.HOLDALL_TEST_S3);

export const isS3 = settings !== undefined;

// Loading the SDK takes longer than many test files.
const bucketStorage = isS3 ? await import('./bucket-storage.ts') : undefined;

export interface TestStorage {
  /** Environment variables for starting Holdall. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of everything stored, including unfinished writes. */
  list(dataDir: string): Promise<readonly string[]>;
  /** Deletes the objects without Holdall's knowledge, except the one that identifies the store. */
  loseObjects(dataDir: string): Promise<void>;
  drop(): Promise<void>;
}

/** Creates separate storage for one Holdall, or for several instances that share it. */
export function createTestStorage(): TestStorage {
  if (settings === undefined || bucketStorage === undefined) return new LocalStorage();
  return new bucketStorage.BucketStorage(settings);
}

/**
 * Creates a separate bucket, for tests that change settings of the whole bucket. It is deleted with the S3
 * store.
 */
export async function createTestBucket(): Promise<TestStorage> {
  if (settings === undefined || bucketStorage === undefined) throw new Error('The run has no S3 store.');
  return await bucketStorage.createBucketStorage(settings);
}

/** Storage on the local disk, deleted together with the data directory. */
class LocalStorage implements TestStorage {
  /** No minimum of free space, because the disk of the test machine may be almost full. */
  readonly env = { HOLDALL_MIN_FREE_DISK_BYTES: '0' };

  async list(dataDir: string): Promise<readonly string[]> {
    const root = path.join(dataDir, 'objects');
    const found = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
    return found.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  }

  async loseObjects(dataDir: string): Promise<void> {
    await rm(path.join(dataDir, 'objects', 'blobs'), { recursive: true });
  }

  async drop(): Promise<void> {}
}

/** The settings of the test bucket; undefined if the variable is not set or empty. */
export function readSettings(text: string | undefined): S3Settings | undefined {
  // The test runner writes exactly this type.
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as S3Settings);
}
