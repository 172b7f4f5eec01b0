// tier: default
// runs on: sqlite
// runs on, with --full: s3
// Faults in objects, which the doctor finds by comparing the store with the rows.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { before, describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { type Damage, fillDrives, testDamages } from '../support/checks/damage.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { sabotage } from '../support/checks/sabotage.ts';

const holdall = await startHoldall();
const { app } = holdall;
const { database, store } = app;
let alice: Person;

before(async () => {
  ({ alice } = await fillDrives(holdall));
});

const DAMAGES: readonly Damage[] = [
  {
    title: 'an unreferenced blob without a mark',
    damage: async () => {
      await store.write('blobs/20260101/0000/unmarked', Readable.from([Buffer.from('x')]));
      await sabotage(
        holdall,
        `insert into blob (object_key, kind, size, reference_count, created_by, created_at, policy_id)
        values ('blobs/20260101/0000/unmarked', 'FILE', 1, 0, 1, 1, (select id from storage_policy))`,
      );
    },
    rules: ['unreferenced-mark'],
  },
  {
    title: 'an orphan',
    damage: () => store.write('blobs/20260101/0000/orphan', Readable.from([Buffer.from('nobody')])),
    rules: ['orphan'],
  },
  {
    title: 'a missing object',
    damage: () => replaceObject('three', async (key) => store.remove([key])),
    rules: ['missing'],
    undo: () => restoreObject('three'),
  },
  {
    title: 'an object of the wrong size',
    damage: () =>
      replaceObject('three', async (key) => store.write(key, Readable.from([Buffer.from('short')]))),
    rules: ['object-size'],
    undo: () => restoreObject('three'),
  },
  {
    title: 'an object with the wrong bytes',
    damage: () =>
      replaceObject('three', async (key) => store.write(key, Readable.from([Buffer.from('THREE!')]))),
    rules: ['checksum'],
    undo: () => restoreObject('three'),
    isDeep: true,
  },
];

describe('the doctor', () => {
  testDamages(holdall, DAMAGES);

  test('leaves an object alone if it is younger than the grace time, or claimed by an upload', async () => {
    const key = 'blobs/20260101/0000/young';
    await store.write(key, Readable.from([Buffer.from('young')]));
    assert.deepEqual((await diagnose(app, { graceMs: 60_000 })).faults, []);
    const session = await alice.ask<{ sessionId: string }>('POST', '/api/v2/files/upload-sessions', {
      body: { path: '/', filename: 'claimed.bin', size: 5, contentType: 'text/plain' },
    });
    await sabotage(
      holdall,
      `update upload_session set stored_key = '${key}' where id = '${session.sessionId}'`,
    );
    assert.deepEqual((await diagnose(app)).faults, []);
    await alice.ask('DELETE', `/api/v2/files/upload-sessions/${session.sessionId}`);
    await store.remove([key]);
  });
});

/** By file name, the original objects of files whose objects were replaced or removed. */
const originals = new Map<string, { key: string; bytes: Buffer }>();

async function replaceObject(name: string, act: (key: string) => Promise<unknown>): Promise<void> {
  const { object_key: key, size } = await database.db
    .selectFrom('entry')
    .innerJoin('blob', 'blob.id', 'entry.blob_id')
    .select(['object_key', 'blob.size'])
    .where('entry.name', '=', `${name}.txt`)
    .executeTakeFirstOrThrow();
  originals.set(name, { key, bytes: await store.read(key, { start: 0, end: size - 1 }) });
  await act(key);
}

async function restoreObject(name: string): Promise<void> {
  const { key, bytes } = originals.get(name) ?? assert.fail();
  await store.write(key, Readable.from([bytes]));
}
