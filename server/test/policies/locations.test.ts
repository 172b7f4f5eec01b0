// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AdminPolicy } from '../../src/admin/storage/contract.ts';
import { STORE_ID_KEY } from '../../src/blobs/object-key.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import type { TaskRecord } from '../../src/tasks/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { addPolicy, countIn, openMigrations, TestTask } from '../support/migration/migration.ts';
import { send } from '../support/storage/byte-sources.ts';
import { isS3 } from '../support/storage/test-storage.ts';
import { waitForStatus } from '../support/tasks/tasks.ts';

const POLICIES = '/api/admin/storage-policies';
const FOREIGN = 'e3b7f3c4-0000-4000-8000-000000000000';

const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
const { policies } = holdall.app;
const admin = await holdall.admin();
const view = asAdmin(admin);
const ann = await holdall.register('ann');
const [standard] = await admin.ask<AdminPolicy[]>('GET', POLICIES);
assert.ok(standard);

const prefixOf = (name: string) => [standard.prefix, name].filter(Boolean).join('/');
const draft = (name: string) => ({ ...standard, name, prefix: prefixOf(name) });
const create = (name: string) => admin.ask<AdminPolicy>('POST', POLICIES, { body: draft(name) });
const update = (id: number, name: string) =>
  admin.ask<AdminPolicy>('PUT', `${POLICIES}/${id}`, { body: draft(name) });

/** Opens the store at a location, whether or not it belongs to a policy. */
async function openAt(name: string): Promise<ObjectStore> {
  const { type, bucketName, endpoint, region } = await policies.getDefault();
  return await policies.openLocation({ type, bucketName, endpoint, region, prefix: prefixOf(name) });
}

async function readStoreId(name: string): Promise<string | undefined> {
  const store = await openAt(name);
  const found = await store.find(STORE_ID_KEY);
  const storeId =
    found &&
    (found.size === 0 ? '' : String(await store.read(STORE_ID_KEY, { start: 0, end: found.size - 1 })));
  store.close();
  return storeId;
}

async function put(name: string, key: string, text: string): Promise<void> {
  const store = await openAt(name);
  await store.write(key, send(Buffer.from(text)));
  store.close();
}

const migrate = (targetPolicyId: number) =>
  admin.ask<TaskRecord>('POST', `${POLICIES}/migrations`, {
    body: { sourcePolicyId: standard.id, targetPolicyId },
  });

const ownKey = 'blobs/20260101/0000/00000000-0000-4000-8000-000000000000';

describe('the location of a policy', () => {
  test('is marked with the ids of the database and the policy when the policy is created', async () => {
    const { id } = await create('new');
    const own = await holdall.app.settings.findMarker(holdall.app.database.db, STORE_ID_KEY);
    assert.equal(await readStoreId('new'), `${own}/${id}`);
    await update(id, 'moved');
    assert.equal(await readStoreId('moved'), `${own}/${id}`);
    // The policy may return to its earlier location.
    assert.equal((await update(id, 'new')).prefix, prefixOf('new'));
    await admin.ask('PUT', `${POLICIES}/${id}`, { body: { ...draft('new'), name: 'renamed' } });
  });

  test('cannot be one that belongs to another database', async () => {
    for (const [name, storeId] of [
      ['of-another-default-policy', FOREIGN],
      ['of-another-policy', `${FOREIGN}/2`],
      ['unreadable', ''],
    ] as const) {
      await put(name, STORE_ID_KEY, storeId);
      const before = [(await admin.ask<AdminPolicy[]>('GET', POLICIES)).length, (await view.audits()).total];
      await admin.refused(409, 1003, 'POST', POLICIES, { body: draft(name) });
      assert.deepEqual(
        [(await admin.ask<AdminPolicy[]>('GET', POLICIES)).length, (await view.audits()).total],
        before,
      );
      const { id } = await create(`beside-${name}`);
      await admin.refused(409, 1003, 'PUT', `${POLICIES}/${id}`, { body: draft(name) });
      assert.equal(await readStoreId(name), storeId);
    }
  });

  test('cannot contain unknown objects', async () => {
    await put('unknown', ownKey, 'theirs');
    await admin.refused(409, 1003, 'POST', POLICIES, { body: draft('unknown') });
    assert.equal(await readStoreId('unknown'), undefined);
  });

  test('cannot be one that belongs or belonged to another policy', async () => {
    const { id } = await create('first');
    await update(id, 'second');
    for (const name of ['first', 'second']) {
      await admin.refused(409, 1003, 'POST', POLICIES, { body: { ...draft(name), name: 'another' } });
    }
  });

  test('is not opened when the policy is created, unless it uses the configured endpoint', async (context) => {
    const open = context.mock.method(policies, 'openLocation');
    const body = isS3
      ? { ...draft('far'), endpoint: 'http://127.0.0.1:9' }
      : {
          ...draft('far'),
          type: 'S3_COMPATIBLE',
          bucketName: 'far',
          credentialMode: 'STATIC',
          maxSizeBytes: 1,
        };
    await admin.ask('POST', POLICIES, { body: { ...body, capabilities: {} } });
    assert.equal(open.mock.callCount(), 0);
  });
});

describe('a location whose owner is checked on first use', () => {
  test('is rejected as the target of a migration if it is foreign, and keeps its objects', async () => {
    await ann.upload('/stays', 'stays');
    const target = await addPolicy(holdall, { prefix: prefixOf('foreign') });
    await put('foreign', STORE_ID_KEY, FOREIGN);
    await put('foreign', ownKey, 'theirs');
    const failed = await waitForStatus(admin, await migrate(target), 'FAILED');
    assert.equal(failed.failureCategory, 'DATA_STATE');
    assert.match(failed.errorMessage ?? '', /belong to another policy or database/);
    assert.equal(await countIn(holdall, target), 0);
    holdall.clock.advance(60 * 24 * 3_600_000);
    await holdall.app.cleanUp();
    assert.deepEqual([await listKeys('foreign'), await readStoreId('foreign')], [[ownKey], FOREIGN]);
  });

  test('is rejected as the source of a migration if it is foreign', async () => {
    const source = await addPolicy(holdall, { prefix: prefixOf('foreign-source') });
    await put('foreign-source', STORE_ID_KEY, FOREIGN);
    const body = { sourcePolicyId: source, targetPolicyId: standard.id };
    const person = await holdall.admin();
    const task = await person.ask<TaskRecord>('POST', `${POLICIES}/migrations`, { body });
    assert.match(
      (await waitForStatus(person, task, 'FAILED')).errorMessage ?? '',
      /belong to another policy or database/,
    );
  });

  test('is claimed if it is still free', async () => {
    const person = await holdall.admin();
    const target = await addPolicy(holdall, { prefix: prefixOf('free') });
    const body = { sourcePolicyId: standard.id, targetPolicyId: target };
    const task = await person.ask<TaskRecord>('POST', `${POLICIES}/migrations`, { body });
    await waitForStatus(person, task, 'COMPLETED');
    assert.match((await readStoreId('free')) ?? '', new RegExp(`/${target}$`));
  });
});

test('the location of a policy cannot change during a migration to it or from it', async () => {
  const person = await holdall.admin();
  const { id: target } = await person.ask<AdminPolicy>('POST', POLICIES, { body: draft('steady') });
  const body = draft('unsteady');
  const task = new TestTask({ sourcePolicyId: standard.id, targetPolicyId: target });
  const { policyMigrations, removeLeftovers } = openMigrations(holdall, [task]);
  const plan = { sourcePolicyId: standard.id, targetPolicyId: target, taskId: task.id };
  await policyMigrations.begin(plan, async () => {});
  await person.refused(400, 1003, 'PUT', `${POLICIES}/${target}`, { body });
  task.cancel();
  await removeLeftovers();
  await person.ask('PUT', `${POLICIES}/${target}`, { body });
});

test('a migration uses the current location of the policy, not the cached one', async () => {
  const beside = await startHoldall({ beside: holdall, env: { HOLDALL_WORKER_CONCURRENCY: '0' } });
  const person = await holdall.admin();
  const [there] = atEveryInstance(person, [beside.url]);
  const { id: targetPolicyId } = await person.ask<AdminPolicy>('POST', POLICIES, { body: draft('before') });
  assert.equal((await policies.get(targetPolicyId)).prefix, prefixOf('before'));
  await there?.ask('PUT', `${POLICIES}/${targetPolicyId}`, { body: draft('after') });
  assert.equal((await policies.get(targetPolicyId)).prefix, prefixOf('before'));
  const carol = await holdall.register('carol');
  const file = await carol.upload('/carols', 'carols');
  const body = { sourcePolicyId: standard.id, targetPolicyId };
  const task = await person.ask<TaskRecord>('POST', `${POLICIES}/migrations`, { body });
  const { publicStateJson } = await waitForStatus(person, task, 'COMPLETED');
  assert.equal(publicStateJson.processedObjectCount, 1);
  assert.deepEqual([await listKeys('before'), (await listKeys('after')).length], [[], 1]);
  assert.equal(String(await carol.download(file)), 'carols');
});

async function listKeys(name: string): Promise<readonly string[]> {
  const store = await openAt(name);
  const keys: string[] = [];
  for await (const { key } of store.list('blobs')) keys.push(key);
  store.close();
  return keys;
}
