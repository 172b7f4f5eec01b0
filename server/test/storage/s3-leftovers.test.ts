// tier: default
// needs: bucket
// What interrupted writes leave in a bucket, and its removal.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ListMultipartUploadsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { inFull } from '../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { systemClock } from '../../src/base/clock.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { S3Bucket } from '../../src/storage/s3/bucket.ts';
import type { S3Store } from '../../src/storage/s3/s3.ts';
import { copyS3Object } from '../../src/storage/s3/upload/copying.ts';
import { send, WatchedSource } from '../support/storage/byte-sources.ts';
import { makeS3Store, readS3Engine, s3Options } from '../support/storage/s3-engine.ts';
import { assertMissing, claimNothing, failureOf, MIB, readAll } from '../support/storage/store-assertions.ts';

const engine = readS3Engine();
const LARGE = randomBytes(20 * MIB);

describe('leftovers in a bucket', () => {
  const client = new S3Client({ ...engine, credentials: engine });
  const opened: { close(): Promise<void> }[] = [];
  let prefix: string;
  let store: S3Store;
  beforeEach(async () => {
    ({ prefix } = s3Options());
    store = await open(prefix);
  });
  after(async () => {
    for (const each of opened) await each.close();
    client.destroy();
  });

  async function open(under: string): Promise<S3Store> {
    const underTest = await makeS3Store({ prefix: under });
    opened.push(underTest);
    return underTest.store;
  }

  async function listUploads(): Promise<readonly string[]> {
    const request = new ListMultipartUploadsCommand({ Bucket: engine.bucket, Prefix: `${prefix}/` });
    const { Uploads: uploads = [] } = await client.send(request);
    return uploads.map(({ Key }) => `${Key}`.slice(prefix.length + 1)).toSorted();
  }

  it('do not exist after multipart writes that failed', async () => {
    const fault = new Error('the client is gone');
    const failing = new WatchedSource([LARGE], () => Promise.reject(fault));
    await assert.rejects(store.write('failed', failing), (error) => error === fault);
    const writing = store.write('surplus', send(LARGE, Buffer.of(1)), { maxBytes: LARGE.length });
    assert.equal((await failureOf(writing)).kind, 'over-limit');
    const abort = new AbortController();
    const silent = new WatchedSource([LARGE], () => new Promise(() => {}));
    const stopped = store.write('stopped', silent, { signal: abort.signal });
    await silent.taken.promise;
    abort.abort(fault);
    await assert.rejects(stopped, (error) => error === fault);
    assert.deepEqual(await listUploads(), []);
    for (const key of ['failed', 'surplus', 'stopped']) await assertMissing(store, key);
  });

  it('are removed when they are old and unclaimed', async () => {
    const direct = { key: 'direct', id: await store.direct.beginMultipart('direct') };
    const part = await store.direct.signPart(direct, { number: 1, size: 10 }, 60_000);
    await fetch(part.url, { method: 'PUT', body: new Uint8Array(10) });
    await store.direct.beginMultipart('claimed');
    await store.resumable.begin('resumable');
    assert.equal(await store.removeAbandonedWrites(systemClock.now() - 60_000, claimNothing), 0);
    const asked: string[] = [];
    const claim = async (keys: readonly string[]) => {
      asked.push(...keys);
      return ['claimed'];
    };
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claim), 2);
    assert.deepEqual(asked.toSorted(), ['claimed', 'direct', 'resumable']);
    assert.deepEqual(await listUploads(), ['claimed']);
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 1);
  });

  it('of a write that made no progress are removed, and the write fails', async () => {
    const wait = Promise.withResolvers<void>();
    const source = new WatchedSource([LARGE], () => wait.promise);
    const writing = store.write('slow', source);
    await source.taken.promise;
    await waitUntil('the upload begins', async () => (await listUploads()).length > 0);
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 1);
    wait.resolve();
    assert.equal((await failureOf(writing)).kind, 'unavailable');
    await assertMissing(store, 'slow');
  });

  it('of other programs in the same bucket are left alone', async () => {
    const neighbour = await open(`${prefix}-b`);
    await neighbour.direct.beginMultipart('theirs');
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 0);
    assert.equal(await neighbour.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 1);
  });

  it('such as probes of crashed checks, and foreign names, are not listed', async () => {
    for (const name of ['.check/old', 'ä b', 'a\u0001b', 'x/']) {
      await client.send(new PutObjectCommand({ Bucket: engine.bucket, Key: `${prefix}/${name}`, Body: 'x' }));
    }
    await store.write('mine', send(Buffer.of(1)));
    const keys: string[] = [];
    for await (const { key } of store.list('')) keys.push(key);
    assert.deepEqual(keys, ['mine']);
    assert.equal(await store.removeAbandonedWrites(systemClock.now() - 60_000, claimNothing), 0);
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 1);
  });
});

describe('a copy that is too large for one request', () => {
  const sizes = { wholeBytes: 10 * MIB, partBytes: 5 * MIB, concurrency: 2 };
  let underTest: Awaited<ReturnType<typeof makeS3Store>>;
  let bucket: S3Bucket;
  before(async () => {
    const { prefix, ids: _, ...address } = s3Options();
    underTest = await makeS3Store({ prefix });
    bucket = new S3Bucket(address, prefix);
  });
  after(async () => {
    bucket.close();
    await underTest.close();
  });

  it('is made in parts', async () => {
    await underTest.store.write('from', send(LARGE));
    await copyS3Object(bucket, 'from', 'to', { ...sizes, writeId: 'write-id' });
    assert.ok((await readAll(underTest.store, 'to')).equals(LARGE));
  });

  it('leaves nothing behind when it fails', async () => {
    const tooSmall = { ...sizes, concurrency: 0 };
    await assert.rejects(copyS3Object(bucket, 'from', 'broken', { ...tooSmall, writeId: 'write-id' }));
    await assertMissing(underTest.store, 'broken');
    assert.equal(await underTest.store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 0);
  });
});

describe('a copy from another bucket or prefix of the same S3 store', () => {
  let from: Awaited<ReturnType<typeof makeS3Store>>;
  let to: Awaited<ReturnType<typeof makeS3Store>>;
  before(async () => {
    [from, to] = [await makeS3Store(), await makeS3Store()];
  });
  after(async () => {
    await from.close();
    await to.close();
  });

  for (const size of [0, 1, 6 * MIB]) {
    it(`of ${size} bytes is made by the store itself`, async () => {
      const bytes = LARGE.subarray(0, size);
      await from.store.write('beside/source', send(bytes));
      assert.equal(await to.store.copyFrom(from.store, 'beside/source', 'beside/target'), true);
      assert.ok((await readAll(to.store, 'beside/target')).equals(bytes));
      assert.ok((await readAll(from.store, 'beside/source')).equals(bytes));
      await assertMissing(from.store, 'beside/target');
    });
  }

  it('is made in parts when it is too large for one request', inFull, async () => {
    const [source, target] = [s3Options(), s3Options()];
    const [sourceBucket, targetBucket] = [
      new S3Bucket(source, source.prefix),
      new S3Bucket(target, target.prefix),
    ];
    const [sourceStore, targetStore] = [await makeS3Store(source), await makeS3Store(target)];
    await sourceStore.store.write('from', send(LARGE));
    const sizes = { wholeBytes: 10 * MIB, partBytes: 5 * MIB, concurrency: 2 };
    await copyS3Object(targetBucket, 'from', 'to', { writeId: 'write-id', ...sizes, from: sourceBucket });
    assert.ok((await readAll(targetStore.store, 'to')).equals(LARGE));
    const ended = { ...sizes, from: sourceBucket, signal: AbortSignal.abort(new Error('ended')) };
    await assert.rejects(
      copyS3Object(targetBucket, 'from', 'never', { ...ended, writeId: 'write-id' }),
      /ended/,
    );
    await assertMissing(targetStore.store, 'never');
    const { store } = targetStore;
    assert.equal(await store.removeAbandonedWrites(systemClock.now() + 60_000, claimNothing), 0);
    for (const each of [sourceBucket, targetBucket, sourceStore, targetStore]) await each.close();
  });

  it('is cancelled by its signal before it starts, and fails with not-found for a missing source', async () => {
    await from.store.write('beside/kept', send(Buffer.of(1)));
    const signal = AbortSignal.abort(new Error('ended'));
    await assert.rejects(to.store.copyFrom(from.store, 'beside/kept', 'beside/never', { signal }), /ended/);
    const missing = to.store.copyFrom(from.store, 'beside/nothing', 'beside/never');
    assert.equal((await failureOf(missing)).kind, 'not-found');
    await assertMissing(to.store, 'beside/never');
  });

  it('is rejected when the credentials differ or the other store is not a bucket', async () => {
    const credentials = { accessKeyId: 'somebody', secretAccessKey: 'else' };
    const elsewhere = await makeS3Store({ credentials });
    assert.equal(await elsewhere.store.copyFrom(from.store, 'beside/source', 'beside/never'), false);
    const disk = new LocalDiskStore('/nowhere');
    assert.equal(await to.store.copyFrom(disk, 'beside/source', 'beside/never'), false);
    assert.equal(await disk.copyFrom(), false);
    await elsewhere.close();
  });
});
