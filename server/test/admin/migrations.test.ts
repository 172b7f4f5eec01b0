// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import type { AdminPolicy } from '../../src/admin/storage/contract.ts';
import type { TaskRecord } from '../../src/tasks/contract.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { countIn, countObjects } from '../support/migration/migration.ts';
import { isS3 } from '../support/storage/test-storage.ts';
import { waitForStatus } from '../support/tasks/tasks.ts';

/** For tests without races: the default tier runs them on SQLite only. */
const onSqlite = isPostgres ? inFull : {};

const POLICIES = '/api/admin/storage-policies';
const MIGRATIONS = `${POLICIES}/migrations`;

const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
const admin = await holdall.admin();
const view = asAdmin(admin);
const mod = await holdall.register('mod');
await view.user(mod, 'role', { role: 'MODERATOR' });
const ann = await holdall.register('ann');
const [standard] = await admin.ask<AdminPolicy[]>('GET', POLICIES);
assert.ok(standard);
const source = standard.id;

let policyCount = 0;
async function addPolicy(change: Partial<AdminPolicy> = {}): Promise<AdminPolicy> {
  policyCount += 1;
  const prefix = [standard?.prefix, `place-${policyCount}`].filter(Boolean).join('/');
  return await admin.ask('POST', POLICIES, {
    body: { ...standard, name: `Place ${policyCount}`, prefix, ...change },
  });
}

const migrate = (person: Person, body: object) => person.ask<TaskRecord>('POST', MIGRATIONS, { body });
const countAudits = async () => (await view.audits()).total;
const countTasks = async () => (await view.tasks({ type: 'STORAGE_POLICY_MIGRATION' })).total;

describe('a migration started by an administrator', onSqlite, () => {
  test('migrates the objects and leaves an audit entry', async () => {
    const target = await addPolicy();
    const file = await ann.upload('/moved', 'to be moved');
    const before = await countAudits();
    const body = { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'the first' };
    const task = await migrate(admin, body);
    const { userId, type, correlationId, publicStateJson } = task;
    assert.deepEqual([userId, type, correlationId], [admin.id, 'STORAGE_POLICY_MIGRATION', 'the first']);
    assert.deepEqual([publicStateJson.sourcePolicyId, publicStateJson.maxAttempts], [source, 1]);
    const audits = await view.audits({ actionType: 'CREATE_MIGRATION' });
    const [{ id: _id, createdAt: _at, ...written } = assert.fail('no audit')] = audits.items;
    assert.deepEqual(written, {
      ...{ actor: 'admin', actorId: admin.id, action: 'CREATE_MIGRATION' },
      ...{ target: `${standard.name} to ${target.name}`, targetType: 'TASK', targetId: String(task.id) },
      summary: `Started the migration of all objects of ${standard.name} to ${target.name}.`,
      detailsJson: body,
    });
    const done = await waitForStatus(admin, task, 'COMPLETED');
    assert.deepEqual(done.publicStateJson, {
      ...{ sourcePolicyId: source, targetPolicyId: target.id },
      ...{ processedObjectCount: 1, totalObjectCount: 1, processedBytes: 11, totalBytes: 11 },
      ...{ progressPercent: 100, phase: 'completed', attemptCount: 1, maxAttempts: 1 },
    });
    assert.deepEqual([await countIn(holdall, source), await countIn(holdall, target.id)], [0, 1]);
    assert.equal(await countObjects(holdall, target.id), 1);
    assert.equal(String(await ann.download(file)), 'to be moved');
    assert.equal(await countAudits(), before + 1);
    await checkBooks(holdall);
  });

  test('may be started by a moderator', async () => {
    const { id: targetPolicyId } = await addPolicy();
    const task = await migrate(mod, { sourcePolicyId: source, targetPolicyId });
    assert.equal((await waitForStatus(mod, task, 'COMPLETED')).userId, mod.id);
    assert.equal((await view.audits({ actorQuery: mod.username })).items[0]?.targetId, String(task.id));
    await ann.refused(403, 1002, 'POST', MIGRATIONS, { body: { sourcePolicyId: source, targetPolicyId } });
  });

  test('fails if one of the policies is for another type of store than the service uses', async () => {
    const other = isS3
      ? {
          type: 'LOCAL' as const,
          bucketName: null,
          endpoint: null,
          region: null,
          credentialMode: 'NONE' as const,
        }
      : { type: 'S3_COMPATIBLE' as const, bucketName: 'bucket', credentialMode: 'STATIC' as const };
    const { id } = await addPolicy({ ...other, capabilities: {} as never, maxSizeBytes: 100 });
    for (const [sourcePolicyId, targetPolicyId] of [
      [source, id],
      [id, source],
    ]) {
      const task = await migrate(admin, { sourcePolicyId, targetPolicyId });
      const failed = await waitForStatus(admin, task, 'FAILED');
      assert.equal(failed.failureCategory, 'UNSUPPORTED_INPUT');
      assert.match(failed.errorMessage ?? '', /this service uses/);
    }
  });
});

describe('a rejected migration', onSqlite, () => {
  test('leaves neither a task nor an audit entry', async () => {
    const disabled = await addPolicy({ enabled: false });
    const target = await addPolicy();
    const before = [await countTasks(), await countAudits()];
    const refused = (status: number, code: number, body: object) =>
      admin.refused(status, code, 'POST', MIGRATIONS, { body });
    await refused(400, 1003, { sourcePolicyId: source, targetPolicyId: source });
    await refused(400, 1003, { sourcePolicyId: 999_999, targetPolicyId: 999_999 });
    await refused(400, 1003, { sourcePolicyId: source, targetPolicyId: disabled.id });
    await refused(404, 1003, { sourcePolicyId: source, targetPolicyId: 999_999 });
    await refused(404, 1003, { sourcePolicyId: 999_999, targetPolicyId: target.id });
    await refused(404, 1003, { sourcePolicyId: 999_999, targetPolicyId: source, correlationId: 'refused' });
    for (const body of [
      {},
      { sourcePolicyId: source },
      { targetPolicyId: target.id },
      { sourcePolicyId: 'x', targetPolicyId: target.id },
      { sourcePolicyId: 0, targetPolicyId: target.id },
      { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 5 },
      { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'x'.repeat(129) },
      { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'a\u0000b' },
    ]) {
      await refused(400, 1000, body);
    }
    assert.deepEqual([await countTasks(), await countAudits()], before);
  });

  test('does not use up its correlation id', async () => {
    const target = await addPolicy({ enabled: false });
    const body = { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'later' };
    await admin.refused(400, 1003, 'POST', MIGRATIONS, { body });
    await admin.ask('PATCH', `${POLICIES}/${target.id}/status`, { body: { enabled: true } });
    await waitForStatus(admin, await migrate(admin, body), 'COMPLETED');
  });
});

describe('a migration requested again with its correlation id', () => {
  test(
    'returns the first task without a second audit entry, even if the target is now disabled',
    onSqlite,
    async () => {
      const target = await addPolicy();
      const body = { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'once' };
      const task = await migrate(admin, body);
      await waitForStatus(admin, task, 'COMPLETED');
      const before = await countAudits();
      assert.equal((await migrate(admin, body)).id, task.id);
      assert.equal(await countAudits(), before);
      await admin.ask('PATCH', `${POLICIES}/${target.id}/status`, { body: { enabled: false } });
      assert.equal((await migrate(admin, body)).id, task.id);
      assert.equal(await countAudits(), before + 1);
      // Correlation ids are per account, and a blank one is ignored.
      await mod.refused(400, 1003, 'POST', MIGRATIONS, { body });
      await admin.refused(400, 1003, 'POST', MIGRATIONS, { body: { ...body, correlationId: ' ' } });
    },
  );

  test('by concurrent requests results in one task and one audit entry', async () => {
    const target = await addPolicy();
    const before = await countAudits();
    const body = { sourcePolicyId: source, targetPolicyId: target.id, correlationId: 'by many' };
    // SQLite supports only one instance.
    const urls = isPostgres ? [holdall.url, (await startHoldall({ beside: holdall })).url] : [holdall.url];
    const clients = atEveryInstance(admin, urls);
    const tasks = await Promise.all(
      Array.from({ length: 8 }, (_, index) => migrate(clients[index % clients.length] ?? admin, body)),
    );
    assert.equal(new Set(tasks.map(({ id }) => id)).size, 1);
    assert.equal(await countAudits(), before + 1);
    await waitForStatus(admin, tasks[0] ?? assert.fail(), 'COMPLETED');
  });
});
