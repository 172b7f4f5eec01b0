// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminBlob } from '../../src/admin/storage/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { withoutDirect } from '../support/storage/change-policy.ts';

const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
await withoutDirect(holdall);
const { database, store } = holdall.app;
const admin = await holdall.admin();
const view = asAdmin(admin);
const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
const policyId = (await holdall.app.policies.getDefault()).id;

const file = await ann.upload('/file', 'content', 'text/plain');
const other = await bob.upload('/other', 'xx');
const { sessionId, files } = await bob.ask<{ sessionId: string; files: { id: string }[] }>(
  'POST',
  '/api/transfer/sessions',
  { body: { mode: 'OFFLINE', files: [{ name: 'sent', size: 3 }] } },
);
await bob.ask('POST', `/api/transfer/sessions/${sessionId}/files/${files[0]?.id}/content`, {
  body: 'abc',
  headers: { 'content-type': 'application/octet-stream' },
});

async function keyOf(entry: { id: number }): Promise<string> {
  const row = await database.db
    .selectFrom('entry')
    .innerJoin('blob', 'blob.id', 'entry.blob_id')
    .select('blob.object_key')
    .where('entry.id', '=', entry.id)
    .executeTakeFirstOrThrow();
  return row.object_key;
}

async function getBlob(objectKey: string): Promise<AdminBlob> {
  const { items, total } = await view.blobs({ objectKey });
  assert.equal(total, 1);
  const [blob] = items;
  assert.ok(blob);
  return blob;
}

describe('a stored object', () => {
  test('is shown with an account that uses it and the account that created it', async () => {
    const key = await keyOf(file);
    const { id, createdAt, sha256, ...blob } = await getBlob(key);
    assert.ok(id > 0);
    assert.match(createdAt, /Z$/);
    assert.match(sha256 ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual(blob, {
      objectKey: key,
      entityType: 'FILE',
      storagePolicyId: policyId,
      size: 7,
      contentType: 'text/plain',
      referenceCount: 1,
      linkedStoredFileCount: 1,
      linkedOwnerCount: 1,
      sampleOwnerUsername: ann.username,
      sampleOwnerEmail: `${ann.username}@example.org`,
      sampleDriveId: null,
      sampleDriveName: null,
      createdByUserId: ann.id,
      createdByUsername: ann.username,
      blobMissing: false,
      orphanRisk: false,
      referenceMismatch: false,
    });
  });

  test('of a transfer counts the references of its session and of imports', async () => {
    const [sent] = (await view.blobs({ entityType: 'TRANSFER' })).items;
    assert.deepEqual(
      [sent?.referenceCount, sent?.linkedStoredFileCount, sent?.linkedOwnerCount, sent?.sampleOwnerUsername],
      [1, 0, 1, bob.username],
    );
    await ann.ask('POST', `/api/transfer/sessions/${sessionId}/files/${files[0]?.id}/import`);
    const [imported] = (await view.blobs({ entityType: 'TRANSFER' })).items;
    assert.deepEqual(
      [imported?.referenceCount, imported?.linkedStoredFileCount, imported?.linkedOwnerCount],
      [2, 1, 2],
    );
    assert.deepEqual([imported?.orphanRisk, imported?.referenceMismatch], [false, false]);
  });

  test('is listed once, however many files refer to it, recycled ones included', async () => {
    await ann.copy(file, '/Documents');
    const copy = await ann.copy(file, '/Pictures');
    await ann.recycle(copy);
    const blob = await getBlob(await keyOf(file));
    assert.deepEqual(
      [blob.referenceCount, blob.linkedStoredFileCount, blob.linkedOwnerCount, blob.referenceMismatch],
      [3, 3, 1, false],
    );
  });

  test('that is missing in its store is reported as missing', async () => {
    const lost = await ann.upload('/lost', 'lost');
    const key = await keyOf(lost);
    await store.remove([key]);
    assert.equal((await getBlob(key)).blobMissing, true);
  });

  test('whose reference count is wrong is reported as a mismatch', async () => {
    const key = await keyOf(await ann.upload('/miscounted', 'x'));
    await updateBlob(key, { reference_count: 2 });
    const blob = await getBlob(key);
    assert.deepEqual([blob.referenceMismatch, blob.orphanRisk], [true, false]);
    await updateBlob(key, { reference_count: 1 });
    assert.equal((await getBlob(key)).referenceMismatch, false);
  });

  test('without references is an orphan risk: immediately if its count is above 0, else after the grace time', async () => {
    const gone = await ann.upload('/gone', 'x');
    const key = await keyOf(gone);
    await ann.recycle(gone);
    await ann.purge(gone);
    const fresh = await getBlob(key);
    assert.deepEqual(
      [fresh.orphanRisk, fresh.referenceMismatch, fresh.sampleOwnerUsername],
      [false, false, null],
    );
    await updateBlob(key, { reference_count: 1 });
    const miscounted = await getBlob(key);
    assert.deepEqual([miscounted.orphanRisk, miscounted.referenceMismatch], [true, true]);
    await updateBlob(key, { reference_count: 0 });
    holdall.clock.advance(3 * 3_600_000);
    assert.equal((await getBlob(key)).orphanRisk, true);
  });

  test('in an unreachable store is still listed', async (context) => {
    const find = context.mock.method(store, 'find', () => Promise.reject(new Error('out of reach')));
    const { items } = await view.blobs();
    assert.ok(items.length > 3);
    assert.ok(items.every(({ blobMissing }) => blobMissing === null));
    assert.ok(find.mock.callCount() <= 16, `asked ${find.mock.callCount()} times`);
  });
});

describe('the list of stored objects', () => {
  test('is filtered by key, type, policy and account', async () => {
    const key = await keyOf(other);
    const everything = (await view.blobs()).total;
    for (const [filter, count] of [
      [{ objectKey: key }, 1],
      [{ objectKey: key.slice(-12).toUpperCase() }, 1],
      [{ objectKey: 'blobs/' }, everything],
      [{ objectKey: '%' }, 0],
      [{ entityType: 'AVATAR' }, 0],
      [{ storagePolicyId: policyId }, everything],
      [{ storagePolicyId: 999_999 }, 0],
      // One object that bob uploaded, and one in his transfer.
      [{ userQuery: bob.username.toUpperCase() }, 2],
      [{ userQuery: 'nobody at all' }, 0],
      [{ userQuery: bob.username, entityType: 'FILE' }, 1],
      [{ userQuery: bob.username, objectKey: key, entityType: 'FILE', storagePolicyId: policyId }, 1],
    ] as const) {
      const { items, total } = await view.blobs(filter);
      assert.deepEqual([total, items.length], [count, count], JSON.stringify(filter));
    }
    for (const query of ['entityType=OTHER', 'storagePolicyId=x', 'objectKey=%00', 'page=-1']) {
      await admin.refused(400, 1000, 'GET', `/api/admin/file-blobs?${query}`);
    }
  });

  test('is also filtered by an account that uses objects but did not create them', async () => {
    const carol = await holdall.register('carol');
    await carol.ask('POST', `/api/transfer/sessions/${sessionId}/files/${files[0]?.id}/import`);
    const { items } = await view.blobs({ userQuery: carol.username });
    assert.deepEqual(
      items.map(({ entityType, createdByUsername }) => [entityType, createdByUsername]),
      [['TRANSFER', bob.username]],
    );
  });

  test('is paged, at most 100 per page, newest first', async () => {
    const all = (await view.blobs({ size: 1_000 })).items.map(({ id }) => id);
    assert.equal((await view.blobs({ size: 1_000 })).size, 100);
    assert.deepEqual(
      all,
      all.toSorted((a, b) => b - a),
    );
    for (const filter of [{}, { storagePolicyId: policyId }]) {
      const walked: number[] = [];
      for (let page = 0; page < all.length; page += 1) {
        const { items, total } = await view.blobs({ ...filter, page, size: 1 });
        assert.equal(total, all.length);
        walked.push(...items.map(({ id }) => id));
      }
      assert.deepEqual(walked, all);
    }
  });

  test('looks up every object of the page in its store, with limited concurrency', async (context) => {
    let [running, maxRunning] = [0, 0];
    const original = store.find.bind(store);
    const find = context.mock.method(store, 'find', async (key: string) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise(setImmediate);
      running -= 1;
      return await original(key);
    });
    for (let count = 0; count < 20; count += 1) await ann.upload(`/many/${count}`, 'x');
    const { items } = await view.blobs({ size: 18 });
    assert.equal(items.length, 18);
    assert.equal(find.mock.callCount(), 18);
    assert.ok(maxRunning <= 16, `${maxRunning} lookups at the same time`);
  });
});

function updateBlob(objectKey: string, values: { reference_count: number }) {
  return database.transact((tx) =>
    tx.updateTable('blob').set(values).where('object_key', '=', objectKey).execute(),
  );
}
