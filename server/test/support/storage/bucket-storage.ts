import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3';
import { type S3Settings, toClient, toServiceEnvironment } from '../../../../tools/engines/s3/s3-client.ts';
import type { TestStorage } from './test-storage.ts';

/** Creates a bucket and returns it as storage. */
export async function createBucketStorage(of: S3Settings): Promise<BucketStorage> {
  const bucket = `own-${randomBytes(4).toString('hex')}`;
  const client = toClient(of);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return new BucketStorage({ ...of, bucket });
}

/** Uses a separate prefix in the bucket of the test run. */
export class BucketStorage implements TestStorage {
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
    // Aborts uploads first. An upload that completes meanwhile becomes an object, which is removed
    // afterwards.
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
