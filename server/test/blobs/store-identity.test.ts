// tier: default
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

it('a database is not bound to the store of another database', async () => {
  const store = await newStore();
  await bind(database, store);
  await bind(database, store);
  await assert.rejects(bind(other, store), /objects in the store .* than the database/);
  await bind(other, await newStore());
  await assert.rejects(bind(other, store), /another database/);
});

it('a database is not bound to a store with unknown objects', async () => {
  const store = await newStore();
  const { policies, policyId } = await openSinglePolicy(database, store, clock);
  const blobs = new Blobs({ database, clock, ids: systemIds, policies });
  const key = blobs.newKey();
  await store.write(key, send(Buffer.of(1)));
  await assert.rejects(bind(database, store), /another database/);
  assert.equal(await store.find(STORE_ID_KEY), undefined);
  const fixed = { kind: 'FILE', sha256: null, crc32: null, contentType: null, createdBy: 1 } as const;
  await database.transact((tx) => blobs.insert(tx, { ...fixed, policyId, objectKey: key, size: 1 }));
  await bind(database, store);
  assert.ok(await store.find(STORE_ID_KEY));
});

it('a start that crashes between the writes to database and store is completed by the next start', async () => {
  const store = await newStore();
  await bind(database, store);
  await store.remove([STORE_ID_KEY]);
  await bind(database, store);
  assert.ok(await store.find(STORE_ID_KEY));
});

it('instances that start at the same time use the same id', async () => {
  const store = await newStore();
  await other.transact((tx) => sql`delete from setting`.execute(tx));
  await Promise.all([1, 2, 3].map(() => bind(other, store)));
  await bind(other, store);
});

async function bind(bound: Database, store: LocalDiskStore): Promise<void> {
  const names = { database: 'the database', store: 'the store' };
  await bindStore({ database: bound, store, settings, ids: systemIds, names });
}

async function newStore(): Promise<LocalDiskStore> {
  const root = await mkdtemp(path.join(tmpdir(), 'holdall-bound-'));
  after(() => rm(root, { recursive: true }));
  return new LocalDiskStore(root);
}
