// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { systemIds } from '../../src/base/ids.ts';
import { PolicyMigrations } from '../../src/blobs/migration/policy-migrations.ts';
import type { Database } from '../../src/database/database.ts';
import { LocalDiskStore } from '../../src/storage/disk/local-disk.ts';
import { TestClock } from '../support/app/test-clock.ts';
import { openTestDatabase } from '../support/database/open-database.ts';
import { openSinglePolicy } from '../support/storage/single-policy.ts';

// Tests only the switch of blobs to their copies, without bytes. There are more blobs than in one batch.

const COUNT = 2_500;
const KNOWN = 'a'.repeat(64);
const OTHER = 'b'.repeat(64);

async function openSwitch() {
  const { database, directory } = await openTestDatabase();
  const clock = new TestClock();
  const { policies, policyId: source } = await openSinglePolicy(
    database,
    new LocalDiskStore(directory),
    clock,
  );
  const { id: _own, ...row } = await database.db
    .selectFrom('storage_policy')
    .selectAll()
    .executeTakeFirstOrThrow();
  const { id: target } = await database.transact((tx) =>
    tx
      .insertInto('storage_policy')
      .values({ ...row, name: 'Second', prefix: 'second', is_default: 0 })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  const policyMigrations = new PolicyMigrations({
    database,
    policies,
    clock,
    ids: systemIds,
    graceMs: 0,
    onFault: (error) => assert.fail(String(error)),
  });
  await insertBlobs(database, source);
  const migration = await policyMigrations.begin(
    { taskId: 1, sourcePolicyId: source, targetPolicyId: target },
    async () => {},
  );
  await database.transact((tx) =>
    sql`insert into blob_move
        (relocation_id, blob_id, source_key, target_key, size, sha256, crc32, copied, unused)
      select ${migration.id}, id, object_key, 'to/' || object_key, size, ${KNOWN}, 7, 1, 0 from blob`.execute(
      tx,
    ),
  );
  const { signal } = new AbortController();
  const switchToCopies = () =>
    policyMigrations.switchToCopies(migration, signal, async (_tx, switched) => {
      ended.push(switched);
    });
  const ended: { objects: number; bytes: number }[] = [];
  return { database, source, target, policyMigrations, migration, switchToCopies, ended };
}

async function insertBlobs(database: Database, policyId: number): Promise<void> {
  const rows = Array.from({ length: COUNT }, (_, index) => ({
    object_key: `from/${index}`,
    policy_id: policyId,
    kind: 'FILE' as const,
    size: 2,
    // Half of the blobs have no checksum yet.
    sha256: index % 2 === 0 ? KNOWN : null,
    reference_count: 1,
    created_by: 1,
    created_at: 1,
  }));
  await database.transact(async (tx) => {
    for (let at = 0; at < COUNT; at += 500) {
      await tx
        .insertInto('blob')
        .values(rows.slice(at, at + 500))
        .execute();
    }
  });
}

test('every blob is switched to its copy, with the checksums of the copy', async () => {
  const { database, target, switchToCopies, ended } = await openSwitch();
  await switchToCopies();
  assert.deepEqual(ended, [{ objects: COUNT, bytes: 2 * COUNT }]);
  const blobs = await database.db.selectFrom('blob').selectAll().orderBy('id').execute();
  for (const [index, blob] of blobs.entries()) {
    assert.deepEqual(
      [blob.policy_id, blob.object_key, blob.sha256, blob.crc32],
      [target, `to/from/${index}`, KNOWN, 7],
    );
  }
});

test('blobs that are deleted or being removed are not switched, and their copies are marked as unused', async () => {
  const { database, source, switchToCopies, ended } = await openSwitch();
  await database.transact(async (tx) => {
    await tx.deleteFrom('blob').where('object_key', '=', 'from/1200').execute();
    await tx
      .updateTable('blob')
      .set({ reference_count: 0, unreferenced_at: 1, removing_at: 2 })
      .where('object_key', 'in', ['from/3', 'from/2499'])
      .execute();
  });
  await switchToCopies();
  assert.deepEqual(ended, [{ objects: COUNT - 3, bytes: 2 * (COUNT - 3) }]);
  const unused = await database.db
    .selectFrom('blob_move')
    .select('source_key as key')
    .where('unused', '=', 1)
    .orderBy('blob_id')
    .execute();
  assert.deepEqual(
    unused.map(({ key }) => key),
    ['from/3', 'from/1200', 'from/2499'],
  );
  const stayed = await database.db
    .selectFrom('blob')
    .select('object_key as key')
    .where('policy_id', '=', source)
    .orderBy('id')
    .execute();
  assert.deepEqual(
    stayed.map(({ key }) => key),
    ['from/3', 'from/2499'],
  );
});

test('no copy is recorded for a migration that has been abandoned', async () => {
  const { database, policyMigrations, migration } = await openSwitch();
  await database.transact((tx) => tx.deleteFrom('blob_move').execute());
  assert.ok(await policyMigrations.abandon(migration.taskId, async () => true));
  const { signal } = new AbortController();
  const options = { lockTask: async () => {}, signal, onBytes: () => {} };
  await assert.rejects(policyMigrations.copies.copyPage(migration, 0, options), /was abandoned meanwhile/);
  assert.deepEqual(await database.db.selectFrom('blob_move').select('blob_id').execute(), []);
});

test('no blob is switched when a newly recorded checksum differs from that of the copy', async () => {
  const { database, source, switchToCopies, ended } = await openSwitch();
  await database.transact((tx) =>
    tx.updateTable('blob').set({ sha256: OTHER }).where('object_key', '=', 'from/2001').execute(),
  );
  await assert.rejects(switchToCopies(), /The bytes of the blob \d+ are not what was stored/);
  assert.deepEqual(ended, []);
  const switched = await database.db
    .selectFrom('blob')
    .select('id')
    .where('policy_id', '!=', source)
    .execute();
  assert.deepEqual(switched, []);
});
