// tier: default
// runs on: sqlite
// runs on, with --full: s3
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import { systemIds } from '../../src/base/ids.ts';
import { newObjectKey, STORE_ID_KEY } from '../../src/blobs/object-key.ts';
import type { ObjectStore } from '../../src/storage/object-store.ts';
import { environmentOf, runCommand } from '../support/app/command.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { addPolicy } from '../support/migration/migration.ts';
import { send } from '../support/storage/byte-sources.ts';
import { isS3 } from '../support/storage/test-storage.ts';
import { TUS } from '../support/uploads/tus.ts';

// Which objects the doctor reports as orphans. It leaves alone objects that are claimed or may belong to
// another program.

const holdall = await startHoldall();
const { database, policies, settings, store } = holdall.app;
const env = { ...environmentOf(holdall), HOLDALL_SWEEP_GRACE: '1ms' };
const { id: standardId, prefix: standardPrefix } = await policies.getDefault();
const ann = await holdall.register('ann');

/** Runs the command with `--repair`. Returns the rules and ids of the faults that it prints. */
async function repair(): Promise<readonly string[]> {
  // The grace time is 1 ms, and every object must be older than that.
  const begun = Date.now();
  await waitUntil('the grace time passed', () => Date.now() >= begun + 20);
  const { said, complained } = await runCommand(env, ['doctor', '--repair', '--json']);
  assert.notEqual(said.length, 0, complained.join('\n'));
  return said.slice(0, -1).map((line) => {
    const { rule, id } = JSON.parse(line);
    return `${rule} ${id}`;
  });
}

const prefixOf = (name: string) => [standardPrefix, name].filter(Boolean).join('/');
const put = (where: ObjectStore, key: string, text = 'bytes') => where.write(key, send(Buffer.from(text)));
const exists = async (where: ObjectStore, key: string) => (await where.find(key)) !== undefined;
const newKey = () => newObjectKey(systemIds, holdall.clock.now());

describe('in the store of a policy', () => {
  test('objects are orphans only if the store carries the mark of this policy', async () => {
    const policyId = await addPolicy(holdall, { prefix: prefixOf('foreign') });
    const foreign = await policies.getStore(policyId);
    const key = newKey();
    await put(foreign, key);
    const driveId = await settings.findMarker(database.db, STORE_ID_KEY);
    for (const mark of [
      undefined,
      'e3b7f3c4-0000-4000-8000-000000000000',
      driveId,
      `${driveId}/${standardId}`,
    ]) {
      if (mark !== undefined) await put(foreign, STORE_ID_KEY, mark);
      assert.deepEqual(await repair(), [], `marked ${mark}`);
      assert.ok(await exists(foreign, key));
    }
    await put(foreign, STORE_ID_KEY, `${driveId}/${policyId}`);
    assert.deepEqual(await repair(), [`orphan ${policyId}:${key}`]);
    assert.ok(!(await exists(foreign, key)));
  });

  test('inside the store of another policy, objects and mark are not orphans of the outer store', async () => {
    for (const prefix of ['blobs', 'blobs/20260101', 'blobs/20260101/0000', 'blobs/20260101/0000/inner']) {
      const policyId = await addPolicy(holdall, { prefix: prefixOf(prefix) });
      const inner = await policies.getStore(policyId);
      const key = newKey();
      await put(inner, key);
      await put(inner, STORE_ID_KEY, `${await settings.findMarker(database.db, STORE_ID_KEY)}/${policyId}`);
      assert.deepEqual(await repair(), [`orphan ${policyId}:${key}`], prefix);
      assert.ok(await exists(inner, STORE_ID_KEY), prefix);
      await database.transact((tx) => tx.deleteFrom('storage_policy').where('id', '=', policyId).execute());
    }
  });
});

test('an unreachable store is reported, and everything else is still checked', async () => {
  const policyId = await addPolicy(holdall, { prefix: prefixOf('nowhere') });
  if (isS3) {
    await database.transact((tx) =>
      tx
        .updateTable('storage_policy')
        .set({ bucket_name: 'a-bucket-that-does-not-exist' })
        .where('id', '=', policyId)
        .execute(),
    );
  } else {
    await symlink('nowhere', path.join(holdall.dataDir, 'objects', 'nowhere'));
  }
  const key = newKey();
  await put(store, key);
  assert.deepEqual(await repair(), [`orphan ${standardId}:${key}`, `store ${policyId}:`]);
  const { code, said } = await runCommand(env, ['doctor']);
  assert.equal(code, 1);
  assert.match(said[0] ?? '', new RegExp(`^The store of the storage policy ${policyId} cannot be read: .`));
  await database.transact((tx) => tx.deleteFrom('storage_policy').where('id', '=', policyId).execute());
});

interface Claim {
  readonly title: string;
  /** Claims the key. Returns a function that releases the claim. */
  readonly claim: (key: string) => Promise<() => Promise<unknown>>;
}

const CLAIMS: readonly Claim[] = [
  ...(['object_key', 'stored_key', 'tail_key'] as const).map((column) => ({
    title: `an upload session, as its ${column}`,
    claim: async (key: string) => {
      const { sessionId } = await ann.ask<{ sessionId: string }>('POST', '/api/v2/files/upload-sessions', {
        body: { path: '/', filename: `${column}.bin`, size: 5, contentType: 'text/plain' },
      });
      await sabotage(holdall, `update upload_session set ${column} = '${key}' where id = '${sessionId}'`);
      return () => sabotage(holdall, `delete from upload_session where id = '${sessionId}'`);
    },
  })),
  {
    title: 'an announced avatar upload',
    claim: async (key) => {
      const body = { filename: 'me.png', contentType: 'image/png', size: 5 };
      await ann.ask('POST', '/api/user/avatar/upload/initiate', { body });
      await sabotage(holdall, `update upload_ticket set stored_key = '${key}'`);
      return () => sabotage(holdall, 'delete from upload_ticket');
    },
  },
  {
    title: 'a running task',
    claim: async () => {
      const now = holdall.clock.now();
      await sabotage(
        holdall,
        `insert into task (drive_id, account_id, type, status, input, progress, attempt, attempt_count, max_attempts,
            unknown_failures, started_at, worker, heartbeat_at, lease_expires_at, run_at, created_at, updated_at)
          values (${ann.driveId}, ${ann.id}, 'ARCHIVE', 'RUNNING', '{}', '{}', 1, 1, 4, 0, ${now}, 'elsewhere', ${now},
            ${now + 3_600_000}, ${now}, ${now}, ${now})`,
      );
      return () => sabotage(holdall, 'delete from task');
    },
  },
  ...(['source_key', 'target_key'] as const).map((column) => ({
    title: `a migration, as its ${column}`,
    claim: async (key: string) => {
      const other = column === 'source_key' ? 'target_key' : 'source_key';
      const targetId = await addPolicy(holdall, { prefix: prefixOf(column) });
      await sabotage(
        holdall,
        `insert into blob_relocation
            (task_id, source_policy_id, target_policy_id, last_blob_id, status, clean_after, created_at)
          values (1, ${standardId}, ${targetId}, 0, 'COPYING', 0, 0)`,
        `insert into blob_move (relocation_id, blob_id, ${column}, ${other}, size, copied, unused)
          values ((select max(id) from blob_relocation), 99999, '${key}', 'blobs/other', 5, 0, 0)`,
      );
      return () => sabotage(holdall, 'delete from blob_move', 'delete from blob_relocation');
    },
  })),
];

describe('an object without a blob is left alone while it is claimed by', () => {
  for (const { title, claim } of CLAIMS) {
    test(title, async () => {
      const key = newKey();
      const release = await claim(key);
      await put(store, key);
      assert.deepEqual(await repair(), []);
      assert.ok(await exists(store, key));
      await release();
      assert.deepEqual(await repair(), [`orphan ${standardId}:${key}`]);
      assert.ok(!(await exists(store, key)));
    });
  }

  test('a running tus upload', async () => {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-length': '10',
      'upload-metadata': `filename ${Buffer.from('tus.bin').toString('base64')}`,
    };
    const created = await ann.fetch('POST', TUS, { headers });
    const address = new URL(created.headers.get('location') ?? assert.fail(), holdall.url).pathname;
    const patch = (offset: number, body: string) =>
      ann.fetch('PATCH', address, {
        headers: {
          'tus-resumable': '1.0.0',
          'upload-offset': String(offset),
          'content-type': 'application/offset+octet-stream',
        },
        body,
      });
    assert.equal((await patch(0, 'first')).status, 204);
    assert.deepEqual(await repair(), []);
    assert.equal((await patch(5, 'other')).status, 204);
    assert.deepEqual(await repair(), []);
    const file = (await ann.list('/')).items.find(({ filename }) => filename === 'tus.bin');
    assert.equal(String(await ann.download(file ?? assert.fail())), 'firstother');
  });
});
