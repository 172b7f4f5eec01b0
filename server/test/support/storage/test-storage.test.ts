// tier: default
// needs: bucket
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { CreateMultipartUploadCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { toClient } from '../../../../tools/engines/s3/s3-client.ts';
import { createTestStorage, readSettings } from './test-storage.ts';

const settings = readSettings(process.env.HOLDALL_TEST_S3);
assert(settings, 'this file needs an S3 store');
const Bucket = settings.bucket;
const client = toClient(settings);
after(() => client.destroy());

test('a storage lists and drops everything under its prefix, also unfinished uploads, and no more', async () => {
  const [mine, other] = [createTestStorage(), createTestStorage()];
  const prefixOf = ({ env }: typeof mine) => env.HOLDALL_S3_PREFIX ?? '';
  assert.notEqual(prefixOf(mine), prefixOf(other));
  const put = (Key: string) => client.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
  const begin = (Key: string) => client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  for (const storage of [mine, other]) {
    await put(`${prefixOf(storage)}/store-id`);
    await put(`${prefixOf(storage)}/blobs/1`);
    await begin(`${prefixOf(storage)}/blobs/2`);
    await begin(`${prefixOf(storage)}/blobs/2`);
  }
  assert.equal((await mine.list('')).length, 4);
  await mine.loseObjects('');
  assert.equal((await mine.list('')).length, 3);
  await mine.drop();
  const { KeyCount } = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefixOf(mine) }));
  assert.equal(KeyCount, 0);
  assert.equal((await other.list('')).length, 4);
  await other.drop();
});
