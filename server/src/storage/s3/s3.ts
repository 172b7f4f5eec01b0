import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { ByteRange } from '../../base/bytes/byte-range.ts';
import type { ByteDigest } from '../../base/bytes/byte-streams.ts';
import type { Instant } from '../../base/clock.ts';
import { Failure } from '../../base/failure.ts';
import { type Ids, systemIds } from '../../base/ids.ts';
import type { ObjectStore, StoredObject, WriteOptions } from '../object-store.ts';
import { S3Bucket } from './bucket.ts';
import type { S3Connection } from './clients.ts';
import { S3DirectTransfers } from './direct/signed-requests.ts';
import { listS3Objects } from './objects/listing.ts';
import { findS3Object, openS3Object, readS3Object } from './objects/reading.ts';
import { removePaths, removeS3Objects } from './objects/removal.ts';
import { removeAbandonedS3Writes } from './upload/abandoned-uploads.ts';
import { copyS3Object, SHORT_COPY_SIZES } from './upload/copying.ts';
import { S3ResumableWrites } from './upload/resumable-writes.ts';
import { writeS3Object } from './upload/stream-upload.ts';

export interface S3StoreOptions extends S3Connection {
  /** The prefix of all keys, such as `a/b`; empty if the bucket is used for this store only. */
  readonly prefix: string;
  readonly ids?: Ids;
}

/**
 * Stores objects in an S3 bucket, under `<prefix>/<key>`. Relies on the S3 guarantee that an acknowledged
 * object is durable and visible to every reader. Small objects are sent in one request, larger ones in parts.
 *
 * Several instances may share a bucket and a prefix.
 */
export class S3Store implements ObjectStore {
  readonly direct: S3DirectTransfers;
  readonly resumable: S3ResumableWrites;
  readonly #bucket: S3Bucket;
  readonly #ids: Ids;

  constructor({ prefix, ids = systemIds, ...address }: S3StoreOptions) {
    this.#bucket = new S3Bucket(address, prefix);
    this.#ids = ids;
    this.direct = new S3DirectTransfers(this.#bucket);
    this.resumable = new S3ResumableWrites(this.#bucket);
  }

  async write(
    key: string,
    source: AsyncIterable<Uint8Array>,
    options: WriteOptions = {},
  ): Promise<ByteDigest> {
    return await writeS3Object(this.#bucket, key, source, { ...options, writeId: this.#ids.uuid() });
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    return await openS3Object(this.#bucket, key, range);
  }

  async read(key: string, range: ByteRange): Promise<Buffer> {
    return await readS3Object(this.#bucket, key, range);
  }

  async find(key: string): Promise<StoredObject | undefined> {
    const found = await findS3Object(this.#bucket, key);
    if (found === undefined) return undefined;
    const { writeId: _writeId, ...object } = found;
    return object;
  }

  async remove(keys: readonly string[]): Promise<void> {
    await removeS3Objects(this.#bucket, keys);
  }

  list(prefix: string): AsyncIterable<StoredObject> {
    return listS3Objects(this.#bucket, prefix);
  }

  async copy(source: string, target: string): Promise<void> {
    await copyS3Object(this.#bucket, source, target, { writeId: this.#ids.uuid() });
  }

  async copyFrom(
    other: ObjectStore,
    source: string,
    target: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<boolean> {
    if (!(other instanceof S3Store) || !this.#bucket.isSameStore(other.#bucket)) return false;
    const writeId = this.#ids.uuid();
    const options = { writeId, from: other.#bucket, ...SHORT_COPY_SIZES };
    await copyS3Object(this.#bucket, source, target, signal === undefined ? options : { ...options, signal });
    return true;
  }

  async removeAbandonedWrites(
    before: Instant,
    findClaimed: (keys: readonly string[]) => Promise<readonly string[]>,
  ): Promise<number> {
    return await removeAbandonedS3Writes(this.#bucket, before, findClaimed);
  }

  async check(): Promise<void> {
    await checkS3Bucket(this.#bucket, this.#ids.uuid());
  }

  close(): void {
    this.#bucket.close();
  }
}

/** Writes, reads and removes a probe that listings never contain. */
async function checkS3Bucket(bucket: S3Bucket, name: string): Promise<void> {
  const location = bucket.probeLocation(name);
  await bucket.call((client) => client.send(new PutObjectCommand({ ...location, Body: name })));
  try {
    const { Body: body } = await bucket.call((client) => client.send(new GetObjectCommand(location)), {
      key: name,
    });
    const found = body instanceof Readable ? await buffer(body) : undefined;
    if (found?.toString() !== name) {
      throw new Failure('unavailable', 'The object store returned different bytes than were written.', {
        retryAfterSeconds: 5,
      });
    }
  } finally {
    await removePaths(bucket, [location.Key]).catch(() => {});
  }
}
