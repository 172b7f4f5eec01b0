// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../src/database/database.ts';
import { Policies, type StoreLocation } from '../../src/policies/policies.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';

const LOCAL: StoreLocation = { type: 'LOCAL', bucketName: null, endpoint: null, region: null, prefix: '' };
const S3: StoreLocation = {
  type: 'S3_COMPATIBLE',
  bucketName: 'bucket',
  endpoint: 'http://store.example:9000',
  region: 'us-east-1',
  prefix: 'drive',
};

const clock = new TestClock();

/** Policies on a new database, which record the locations that they open. */
async function openPolicies() {
  const { database } = await openTestDatabase();
  const opened: StoreLocation[] = [];
  const instance = () =>
    new Policies({
      database,
      clock,
      openStore: async (location) => {
        opened.push(location);
        // These tests only open and close it.
        return { close: () => {} } as ObjectStore;
      },
    });
  return { database, opened, instance, policies: instance() };
}

describe('the default policy', () => {
  for (const [what, location, mode] of [
    ['the local disk supports no direct uploads', LOCAL, [false, false]],
    ['an object store supports direct and multipart uploads', S3, [true, true]],
  ] as const) {
    it(`is created by the first start from the configuration: ${what}`, async () => {
      const { policies, instance } = await openPolicies();
      const made = await start(policies, location);
      const { type, bucketName, endpoint, region, prefix, capabilities, isEnabled, isDefault } = made;
      assert.deepEqual({ type, bucketName, endpoint, region, prefix }, location);
      assert.deepEqual([capabilities.directUpload, capabilities.multipartUpload], mode);
      assert.deepEqual([isEnabled, isDefault], [true, true]);
      assert.deepEqual(await start(instance(), location), made);
    });
  }

  it('is created once when several instances start at the same time', async () => {
    const { database, instance } = await openPolicies();
    await Promise.all(Array.from({ length: 5 }, () => start(instance(), S3)));
    assert.equal((await database.db.selectFrom('storage_policy').selectAll().execute()).length, 1);
  });

  it('gets the configured endpoint and region at each start', async () => {
    const { policies, instance } = await openPolicies();
    const { id } = await start(policies, S3);
    const moved = { ...S3, endpoint: 'https://other.example', region: 'eu-1' };
    const kept = await start(instance(), moved);
    assert.deepEqual([kept.id, kept.endpoint, kept.region], [id, 'https://other.example', 'eu-1']);
  });

  for (const [what, configured] of [
    ['another type', LOCAL],
    ['another bucket', { ...S3, bucketName: 'other' }],
    ['another prefix', { ...S3, prefix: '' }],
  ] as const) {
    it(`prevents a start with a configuration for ${what}`, async () => {
      const { policies, instance } = await openPolicies();
      await start(policies, S3);
      await assert.rejects(
        start(instance(), configured),
        /stores its objects in the bucket bucket, prefix drive .* but the configuration says /,
      );
      await start(instance(), S3);
    });
  }
});

describe('the store of a policy', () => {
  it('is opened once', async () => {
    const { policies, opened } = await openPolicies();
    const { id } = await start(policies, S3);
    const [first, second] = await Promise.all([policies.getStore(id), policies.getStore(id)]);
    assert.equal(first, second);
    assert.equal(await policies.getStore(id), first);
    assert.deepEqual(opened, [S3]);
  });

  it('is opened at each instance’s configured endpoint if the policy is the default one', async () => {
    const { policies, instance, opened } = await openPolicies();
    const { id } = await start(policies, S3);
    const other = instance();
    await start(other, { ...S3, endpoint: 'http://inside.example:9000' });
    clock.advance(2_000);
    await policies.getStore(id);
    await other.getStore(id);
    assert.deepEqual(
      opened.map(({ endpoint }) => endpoint),
      [S3.endpoint, 'http://inside.example:9000'],
    );
  });

  it('is replaced within 2 s when another instance changes the location of the policy', async () => {
    const { database, policies, opened } = await openPolicies();
    await start(policies, S3);
    const id = await insertBeside(database, { prefix: 'archive' });
    await policies.getStore(id);
    await database.transact((tx) =>
      tx.updateTable('storage_policy').set({ endpoint: 'http://new.example' }).where('id', '=', id).execute(),
    );
    await policies.getStore(id);
    clock.advance(2_000);
    await policies.getStore(id);
    assert.deepEqual(
      opened.map(({ endpoint, prefix }) => [endpoint, prefix]),
      [
        [S3.endpoint, 'archive'],
        ['http://new.example', 'archive'],
      ],
    );
  });

  it('belongs to one policy: two policies cannot have the same location', async () => {
    const { database, policies } = await openPolicies();
    await start(policies, S3);
    await assert.rejects(insertBeside(database, {}), /unique/i);
  });

  it('cannot be opened when it is not of the configured type', async () => {
    const { database, policies } = await openPolicies();
    await start(policies, S3);
    const other = await insertBeside(database, { type: 'LOCAL' });
    await assert.rejects(policies.getStore(other), /not connected/);
    assert.equal((await policies.listOpenable()).length, 1);
    await assert.rejects(policies.getStore(12_345), /no storage policy 12345/);
  });
});

/** Does what a start of the service does with its policies. */
async function start(policies: Policies, configured: StoreLocation) {
  await policies.configure(configured);
  return await policies.getOrCreateDefault();
}

/** Inserts a copy of the default policy with the change; returns its id. */
async function insertBeside(
  database: Database,
  change: { type?: 'LOCAL'; prefix?: string },
): Promise<number> {
  const { id: _own, ...row } = await database.db
    .selectFrom('storage_policy')
    .selectAll()
    .executeTakeFirstOrThrow();
  const { id } = await database.transact((tx) =>
    tx
      .insertInto('storage_policy')
      .values({ ...row, ...change, name: `beside ${row.name}`, is_default: 0 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  return id;
}
