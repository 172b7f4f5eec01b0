// runs on: sqlite, s3
import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
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

// What the command takes for nobody's, and what it leaves alone because somebody claims it or it may be somebody else's.

const holdall = await startHoldall();
const { database, policies, settings, store } = holdall.app;
const env = { ...environmentOf(holdall), HOLDALL_SWEEP_GRACE: '1ms' };
const { id: standardId, prefix: standardPrefix } = await policies.getDefault();
const ann = await holdall.register('ann');

/** Rules and ids of what the doctor names, having put right what it can. */
async function repair(): Promise<readonly string[]> {
  // An object is to be older than the grace time, by the seconds of its store.
  await sleep(20);
  const { said, complained } = await runCommand(env, ['doctor', '--repair', '--json']);
  assert.notEqual(said.length, 0, complained.join('\n'));
  return said.slice(0, -1).map((line) => {
    const { rule, id } = JSON.parse(line);
    return `${rule} ${id}`;
  });
}

const prefixOf = (name: string) => [standardPrefix, name].filter(Boolean).join('/');
const put = (where: ObjectStore, key: string, text = 'bytes') => where.write(key, send(Buffer.from(text)));
const isThere = async (where: ObjectStore, key: string) => (await where.find(key)) !== undefined;
const newKey = () => newObjectKey(systemIds, holdall.clock.now());

describe('in the place of a policy', () => {
  test('that is not marked as the policy’s nothing belongs to nobody; in one that is, it does', async () => {
    const policyId = await addPolicy(holdall, { prefix: prefixOf('theirs') });
    const theirs = await policies.getStore(policyId);
    const key = newKey();
    await put(theirs, key);
    const driveId = await settings.findMarker(database.db, STORE_ID_KEY);
    for (const mark of [
      undefined,
      'e3b7f3c4-0000-4000-8000-000000000000',
      driveId,
      `${driveId}/${standardId}`,
    ]) {
      if (mark !== undefined) await put(theirs, STORE_ID_KEY, mark);
      assert.deepEqual(await repair(), [], `marked ${mark}`);
      assert.ok(await isThere(theirs, key));
    }
    await put(theirs, STORE_ID_KEY, `${driveId}/${policyId}`);
    assert.deepEqual(await repair(), [`orphan ${policyId}:${key}`]);
    assert.ok(!(await isThere(theirs, key)));
  });

  test('below that of another the mark and the objects are nobody’s orphans, whatever the prefix', async () => {
    for (const prefix of ['blobs', 'blobs/20260101', 'blobs/20260101/0000', 'blobs/20260101/0000/inner']) {
      const policyId = await addPolicy(holdall, { prefix: prefixOf(prefix) });
      const inner = await policies.getStore(policyId);
      const key = newKey();
      await put(inner, key);
      await put(inner, STORE_ID_KEY, `${await settings.findMarker(database.db, STORE_ID_KEY)}/${policyId}`);
      assert.deepEqual(await repair(), [`orphan ${policyId}:${key}`], prefix);
      assert.ok(await isThere(inner, STORE_ID_KEY), prefix);
      await database.transact((tx) => tx.deleteFrom('storage_policy').where('id', '=', policyId).execute());
    }
  });
});

test('a store that cannot be asked is named, and everything else is looked at', async () => {
  const policyId = await addPolicy(holdall, { prefix: prefixOf('nowhere') });
  if (isS3) {
    await database.transact((tx) =>
      tx
        .updateTable('storage_policy')
        .set({ bucket_name: 'a-bucket-that-nobody-made' })
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
  assert.match(
    said[0] ?? '',
    new RegExp(`^The store of the storage policy ${policyId} cannot be looked at: .`),
  );
  await database.transact((tx) => tx.deleteFrom('storage_policy').where('id', '=', policyId).execute());
});

interface Claim {
  readonly title: string;
  /** Has the key claimed; gives what ends that. */
  readonly make: (key: string) => Promise<() => Promise<unknown>>;
}

const CLAIMS: readonly Claim[] = [
  ...(['object_key', 'stored_key', 'tail_key'] as const).map((column) => ({
    title: `an upload session, as its ${column}`,
    make: async (key: string) => {
      const { sessionId } = await ann.ask<{ sessionId: string }>('POST', '/api/v2/files/upload-sessions', {
        body: { path: '/', filename: `${column}.bin`, size: 5, contentType: 'text/plain' },
      });
      await sabotage(holdall, `update upload_session set ${column} = '${key}' where id = '${sessionId}'`);
      return () => sabotage(holdall, `delete from upload_session where id = '${sessionId}'`);
    },
  })),
  {
    title: 'an announced picture',
    make: async (key) => {
      const body = { filename: 'me.png', contentType: 'image/png', size: 5 };
      await ann.ask('POST', '/api/user/avatar/upload/initiate', { body });
      await sabotage(holdall, `update upload_ticket set stored_key = '${key}'`);
      return () => sabotage(holdall, 'delete from upload_ticket');
    },
  },
  {
    title: 'a task that runs',
    make: async () => {
      const now = holdall.clock.now();
      await sabotage(
        holdall,
        `insert into task (owner_id, type, status, input, progress, attempt, attempt_count, max_attempts,
            unknown_failures, started_at, worker, heartbeat_at, lease_expires_at, run_at, created_at, updated_at)
          values (${ann.id}, 'ARCHIVE', 'RUNNING', '{}', '{}', 1, 1, 4, 0, ${now}, 'elsewhere', ${now},
            ${now + 3_600_000}, ${now}, ${now}, ${now})`,
      );
      return () => sabotage(holdall, 'delete from task');
    },
  },
  ...(['source_key', 'target_key'] as const).map((column) => ({
    title: `a migration, as its ${column}`,
    make: async (key: string) => {
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

describe('an object that belongs to nobody otherwise is left alone while it is claimed by', () => {
  for (const { title, make } of CLAIMS) {
    test(title, async () => {
      const key = newKey();
      const giveUp = await make(key);
      await put(store, key);
      assert.deepEqual(await repair(), []);
      assert.ok(await isThere(store, key));
      await giveUp();
      assert.deepEqual(await repair(), [`orphan ${standardId}:${key}`]);
      assert.ok(!(await isThere(store, key)));
    });
  }

  test('a tus upload that goes on', async () => {
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
