import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type S3Settings, toClient, toServiceEnvironment } from '../../../../tools/s3-client.ts';

/**
 * The storage of this test run: the bucket whose settings the test runner puts into `HOLDALL_TEST_S3`, or the
 * local disk if that is not set, as for a test file that is run by hand.
 */
const settings = readSettings(process.env.HOLDALL_TEST_S3);

export const isS3 = settings !== undefined;

export interface TestStorage {
  /** Environment variables for starting Holdall; empty if objects are stored in its data directory. */
  readonly env: Readonly<Record<string, string>>;
  /** The names of everything stored, including unfinished writes. */
  list(dataDir: string): Promise<readonly string[]>;
  /** Deletes the objects behind Holdall's back, except the one that identifies the store. */
  loseObjects(dataDir: string): Promise<void>;
  drop(): Promise<void>;
}

/** Creates separate storage for one Holdall, or for several instances that share it. */
export function createTestStorage(): TestStorage {
  return settings === undefined ? new LocalStorage() : new BucketStorage(settings);
}

/**
 * Creates a separate bucket, for tests that change settings of the whole bucket. It is deleted with the S3
 * store.
 */
export async function createTestBucket(): Promise<TestStorage> {
  if (settings === undefined) throw new Error('The run has no S3 store.');
  const bucket = `own-${randomBytes(4).toString('hex')}`;
  const client = toClient(settings);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return new BucketStorage({ ...settings, bucket });
}

/** Is deleted together with the data directory. */
class LocalStorage implements TestStorage {
  readonly env = {};

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

/** Uses a separate prefix in the bucket of the test run. */
class BucketStorage implements TestStorage {
  readonly env: Readonly<Record<string, string>>;
  readonly #prefix = `test-${randomBytes(8).toString('hex')}`;
  readonly #bucket: string;
  readonly #client: S3Client;

  constructor(of: S3Settings) {
    this.#bucket = of.bucket;
    this.#client = toClient(of);
    this.env = toServiceEnvironment(of, this.#prefix);
  }

  async list(): Promise<readonly string[]> {
    const uploads = await this.#listUploads();
    return [...(await this.#listKeys()), ...uploads.map(({ key, id }) => `${key} (upload ${id})`)];
  }

  async loseObjects(): Promise<void> {
    await this.#remove((await this.#listKeys()).filter((key) => key.includes('/blobs/')));
  }

  async drop(): Promise<void> {
    // Uploads first: one that completes meanwhile becomes an object, which is then removed too.
    for (const { key, id } of await this.#listUploads()) {
      const upload = { Bucket: this.#bucket, Key: key, UploadId: id };
      await this.#client.send(new AbortMultipartUploadCommand(upload));
    }
    await this.#remove(await this.#listKeys());
    this.#client.destroy();
  }

  async #listKeys(): Promise<readonly string[]> {
    const keys: string[] = [];
    const query = { Bucket: this.#bucket, Prefix: this.#prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#client }, query)) {
      for (const { Key } of Contents) if (Key !== undefined) keys.push(Key);
    }
    return keys;
  }

  async #listUploads(): Promise<readonly { readonly key: string; readonly id: string }[]> {
    const uploads: { key: string; id: string }[] = [];
    let from: { KeyMarker: string | undefined; UploadIdMarker: string | undefined } | undefined;
    do {
      const query = { Bucket: this.#bucket, Prefix: this.#prefix, ...from };
      const page = await this.#client.send(new ListMultipartUploadsCommand(query));
      for (const { Key, UploadId } of page.Uploads ?? []) {
        if (Key !== undefined && UploadId !== undefined) uploads.push({ key: Key, id: UploadId });
      }
      from = page.IsTruncated
        ? { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
        : undefined;
    } while (from !== undefined);
    return uploads;
  }

  async #remove(keys: readonly string[]): Promise<void> {
    const maxBatch = 1_000;
    for (let at = 0; at < keys.length; at += maxBatch) {
      const Objects = keys.slice(at, at + maxBatch).map((Key) => ({ Key }));
      const { Errors = [] } = await this.#client.send(
        new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
      );
      if (Errors.length > 0)
        throw new Error(`${Errors.length} objects were not removed, one because of ${Errors[0]?.Code}.`);
    }
  }
}

/** The settings of the test bucket; undefined if the variable is not set or empty. */
export function readSettings(text: string | undefined): S3Settings | undefined {
  // The test runner writes exactly this type.
  return text === undefined || text === '' ? undefined : (JSON.parse(text) as S3Settings);
}
