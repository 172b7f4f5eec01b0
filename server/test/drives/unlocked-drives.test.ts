// tier: default
// runs on: postgres
// Operations that must not wait while others change the drive. SQLite allows only one open transaction.
import assert from 'node:assert/strict';
import { afterEach, describe, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Answer, Listing, Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { asDavClient } from '../support/dav/dav-clients.ts';
import { removeMember, setRole } from '../support/drives/members.ts';
import { createSharedDrive, deleteDrive, inDrive } from '../support/drives/shared-drives.ts';
import { FOLDER_LINKS, linkFolder } from '../support/folder-links/folder-links.ts';
import { getTask, queueTask, TASKS } from '../support/tasks/tasks.ts';

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_WORKER_CONCURRENCY: '0' };
const holdall = await startHoldall({ env });
const secondInstance = await startHoldall({ env, beside: holdall });
const urls = [holdall.url, secondInstance.url];
const { database, drive: driveFeature } = holdall.app;

afterEach(() => checkBooks(holdall));

/** A drive with a tree, its manager, its editor and its viewer. */
async function makeScene() {
  const [ann, bob, eve] = [
    await holdall.register('ann'),
    await holdall.register('bob'),
    await holdall.register('eve'),
  ];
  const drive = await createSharedDrive(
    holdall,
    [
      [ann, 'MANAGER'],
      [bob, 'EDITOR'],
      [eve, 'VIEWER'],
    ],
    { name: `Team ${ann.id}` },
  );
  const there = inDrive(bob, drive);
  await there.upload('/tree/below/file', 'content');
  const tree = (await there.list()).items[0] as EntryRecord;
  return { ann, bob, eve, drive, there, tree, name: `Team ${ann.id}` };
}

type Scene = Awaited<ReturnType<typeof makeScene>>;

/** Holds the next copy when it is complete, but not committed. */
function holdCopy(context: TestContext) {
  const [reached, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { placement } = driveFeature;
  const copy = placement.copy.bind(placement);
  const held: typeof placement.copy = async (...args) => {
    const copied = await copy(...args);
    reached.resolve();
    await opened.promise;
    return copied;
  };
  context.mock.method(placement, 'copy', held, { times: 1 });
  return { reached: reached.promise, open: () => opened.resolve() };
}

const COPIES = [
  {
    by: 'copy-to',
    copy: async ({ eve, drive, tree }: Scene): Promise<number> => {
      const body = { driveId: eve.driveId, path: '/' };
      const { status } = await inDrive(eve, drive).call('POST', `/api/v2/files/${tree.id}/copy-to`, { body });
      return status;
    },
    ok: 200,
  },
  {
    by: 'COPY of WebDAV',
    copy: async ({ eve, name }: Scene): Promise<number> => {
      const client = await asDavClient(eve);
      return (await client.copy(`/drives/${encodeURIComponent(name)}/tree`, '/dav/tree')).status;
    },
    ok: 201,
  },
];

for (const { by, copy, ok } of COPIES) {
  describe(`while a VIEWER copies a tree by ${by}`, () => {
    test('editors change the source at every instance', async (context) => {
      const scene = await makeScene();
      const gate = holdCopy(context);
      const copying = copy(scene);
      await gate.reached;
      for (const [index, at] of atEveryInstance(scene.bob, urls).entries()) {
        await inDrive(at, scene.drive).upload(`/tree/below/later-${index}`, 'later');
      }
      await scene.there.recycle(scene.tree);
      gate.open();
      assert.equal(await copying, ok);
      assert.deepEqual(await scene.eve.names('/tree/below'), ['file']);
      assert.equal(await scene.eve.usedBytes(), 'content'.length);
    });

    for (const [what, status, end] of [
      ['removed', 404, ({ ann, eve, drive }: Scene) => removeMember(ann, drive, eve)],
      ['deleted with the drive', 404, ({ ann, drive: id, name }: Scene) => deleteDrive(ann, { id, name })],
    ] as const) {
      test(`the copy fails if the VIEWER is ${what}, which does not wait`, async (context) => {
        const scene = await makeScene();
        const gate = holdCopy(context);
        const copying = copy(scene);
        await gate.reached;
        assert.equal((await end(scene)).status, 200);
        gate.open();
        assert.equal(await copying, status);
        assert.equal((await scene.eve.names()).includes('tree'), false);
        assert.equal(await scene.eve.usedBytes(), 0);
      });
    }

    test('another role does not end the copy', async (context) => {
      const scene = await makeScene();
      const gate = holdCopy(context);
      const copying = copy(scene);
      await gate.reached;
      assert.equal((await setRole(scene.ann, scene.drive, scene.eve, 'EDITOR')).status, 200);
      gate.open();
      assert.equal(await copying, ok);
    });
  });
}

/** Locks a drive while the work runs. */
async function whileLocked(driveId: number, work: () => Promise<void>): Promise<void> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const locking = database.transact(async (tx) => {
    await sql`update drive set used_bytes = used_bytes where id = ${driveId}`.execute(tx);
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  try {
    await work();
  } finally {
    released.resolve();
    await locking;
  }
}

/** A share, a link, a task and others, each with the call that ends it. */
async function makeThings(person: Person) {
  const file = await person.upload('/leaked', 'leaked');
  const share = await person.ask<{ id: number }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
  await person.ask('POST', `/api/files/${file.id}/share-links`);
  const { items } = await person.ask<Listing<{ id: number }>>('GET', '/api/v2/share-links/mine');
  const directory = await person.mkdir('/open');
  const folderLink = await linkFolder(person, directory);
  const task = await queueTask(person, directory, { type: 'ARCHIVE' });
  const addresses = [
    `/api/v2/shares/${share.id}`,
    `/api/v2/share-links/${items[0]?.id}`,
    `${FOLDER_LINKS}/${folderLink.id}`,
    `${TASKS}/${task.id}`,
  ];
  const end = (by: Person): Promise<Answer<unknown>>[] =>
    addresses.map((address) => by.call('DELETE', address));
  return { task, end };
}

describe('while a drive is locked, shares, links and tasks are ended', () => {
  test('in a personal drive', async () => {
    const ann = await holdall.register('ann');
    const { task, end } = await makeThings(ann);
    await whileLocked(ann.driveId, async () => {
      for (const { status } of await Promise.all(end(ann))) assert.equal(status, 200);
    });
    assert.equal((await getTask(ann, task)).status, 'CANCELLED');
  });

  test('in a shared drive, but not by a VIEWER', async () => {
    const { there, bob, eve, drive } = await makeScene();
    const { task, end } = await makeThings(there);
    await whileLocked(drive, async () => {
      for (const { status } of await Promise.all(end(inDrive(eve, drive)))) assert.equal(status, 403);
      for (const { status } of await Promise.all(end(inDrive(bob, drive)))) assert.equal(status, 200);
    });
    assert.equal((await getTask(there, task)).status, 'CANCELLED');
  });
});
