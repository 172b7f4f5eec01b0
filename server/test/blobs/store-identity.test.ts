// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, it } from 'node:test';
import { sql } from 'kysely';
import { systemIds } from '../../src/base/ids.ts';
import { Blobs } from '../../src/blobs/blobs.ts';
import { STORE_ID_KEY } from '../../src/blobs/object-key.ts';
import { bindStore } from '../../src/blobs/store-identity.ts';
import type { Database } from '../../src/database/database.ts';
import { Settings } from '../../src/settings/settings.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { send } from '../support/storage/byte-sources.ts';
import { openSinglePolicy } from '../support/storage/single-policy.ts';

const clock = new TestClock();
const settings = new Settings(clock, systemIds);
const { database } = await openTestDatabase();
const { database: other } = await openTestDatabase();

it('a new database does not take the store of another', async () => {
  const store = await newStore();
  await tie(database, store);
  await tie(database, store);
  await assert.rejects(tie(other, store), /objects in the store .* than the database/);
  await tie(other, await newStore());
  await assert.rejects(tie(other, store), /another database/);
});

it('a database does not take objects that it does not know', async () => {
  const store = await newStore();
  const { policies, policyId } = await openSinglePolicy(database, store, clock);
  const blobs = new Blobs({ clock, ids: systemIds, policies });
  const key = blobs.newKey();
  await store.write(key, send(Buffer.of(1)));
  await assert.rejects(tie(database, store), /another database/);
  assert.equal(await store.find(STORE_ID_KEY), undefined);
  const fixed = { kind: 'FILE', sha256: null, crc32: null, contentType: null, createdBy: 1 } as const;
  await database.transact((tx) => blobs.insert(tx, { ...fixed, policyId, objectKey: key, size: 1 }));
  await tie(database, store);
  assert.ok(await store.find(STORE_ID_KEY));
});

it('a start that died between the two names is taken up by the next', async () => {
  const store = await newStore();
  await tie(database, store);
  await store.remove([STORE_ID_KEY]);
  await tie(database, store);
  assert.ok(await store.find(STORE_ID_KEY));
});

it('instances that start at the same moment agree', async () => {
  const store = await newStore();
  await other.transact((tx) => sql`delete from setting`.execute(tx));
  await Promise.all([1, 2, 3].map(() => tie(other, store)));
  await tie(other, store);
});

async function tie(tied: Database, store: LocalDiskStore): Promise<void> {
  const names = { database: 'the database', store: 'the store' };
  await bindStore({ database: tied, store, settings, ids: systemIds, names });
}

async function newStore(): Promise<LocalDiskStore> {
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-tied-'));
  after(() => rm(root, { recursive: true }));
  return new LocalDiskStore(root);
}
