import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EntryRecord } from '../../../../src/drive/contract.ts';
import { Leases } from '../../../../src/leases/leases.ts';
import type { TaskRecord } from '../../../../src/tasks/contract.ts';
import { asAdmin } from '../../app/admin.ts';
import type { Person } from '../../app/person.ts';
import { createDrive, deleteDrive, inDrive, listDrives, markDeleted } from '../../drives/shared-drives.ts';
import { makePng } from '../../media/pictures.ts';
import { addPolicy } from '../../migration/migration.ts';
import { getTask, queueTask, retryTask } from '../../tasks/tasks.ts';
import { openSession } from '../../uploads/upload-session.ts';
import { forgeZip } from '../../zip/zip-forge.ts';
import type { FaultCase, Outcome, Scene } from '../fault-case.ts';

const POLL_MS = 10;
/** How much the clock advances with each poll, to let leases expire and retries become due. */
const CLOCK_STEP_MS = 500;
const MAX_POLLS = 2_000;

const ARCHIVE = Uint8Array.from(
  forgeZip([
    { name: 'a', content: Buffer.from('content of a') },
    { name: 'in/b', content: Buffer.from('content of b') },
  ]),
);

/** Background work. Its faults must be invisible, or a retry must overcome them. */
export const BACKGROUND_CASES: readonly FaultCase[] = [
  taskCase('ARCHIVE', async ({ alice }, name) => {
    await alice.upload(`/${name}/in/file`, name);
    const directory = await findEntry(alice, `/${name}`, 'in');
    return { entry: directory, expected: ['in', 'in.zip'] };
  }),
  taskCase('EXTRACT', async ({ alice }, name) => ({
    entry: await alice.upload(`/${name}/all.zip`, ARCHIVE),
    expected: ['a', 'all.zip', 'in'],
  })),
  taskCase('MEDIA_META', async ({ alice }, name) => ({
    entry: await alice.upload(`/${name}/p.png`, makePng()),
    expected: ['p.png'],
  })),
  {
    route: 'a migration of a policy',
    prepare: async (scene, name) => {
      const { admin, alice, holdall } = scene;
      const file = await alice.upload(`/${name}`, name);
      const [source] = await admin.ask<{ id: number }[]>('GET', '/api/admin/storage-policies');
      const body = { sourcePolicyId: source?.id, targetPolicyId: await addPolicy(holdall, { prefix: name }) };
      return {
        send: async () => {
          const task = await admin.ask<TaskRecord>('POST', '/api/admin/storage-policies/migrations', {
            body,
          });
          return await finish(scene, admin, task);
        },
        check: async () => {
          assert.equal((await alice.download(file)).toString(), name);
          const { total } = await asAdmin(admin).blobs({ storagePolicyId: source?.id ?? 0 });
          assert.equal(total, 0);
        },
      };
    },
  },
  {
    route: 'the deletion of an account',
    prepare: async ({ admin, holdall }, name) => {
      const person = await holdall.register(name);
      await queueTask(person, await person.upload('/in/file', name));
      await person.recycle(await person.upload('/recycled', name));
      await openSession(person, { path: '/', filename: 'unfinished', size: 5 });
      const { app } = holdall;
      await app.accountRemovalJob.settle();
      // Holds the lease of the deletion, so it does not begin before faults are injected.
      const leases = new Leases(app.database, holdall.clock, 'the test');
      const isHeld = await leases.runExclusively('delete accounts', 60_000, async () => {
        await admin.ask('DELETE', `/api/admin/users/${person.id}`, { body: { username: person.username } });
      });
      assert.ok(isHeld);
      return {
        send: async () => {
          await app.cleanUp();
          return SUCCESS;
        },
        check: async () => {
          await app.cleanUp();
          assert.equal((await asAdmin(admin).users({ query: person.username })).total, 0);
        },
      };
    },
  },
  {
    route: 'the purge of a shared drive',
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const drive = await createDrive(person, name);
      const there = inDrive(person, drive.id);
      await queueTask(there, await there.upload('/in/file', name));
      await there.recycle(await there.upload('/recycled', name));
      await openSession(there, { path: '/', filename: 'unfinished', size: 5 });
      await deleteDrive(person, drive);
      const { app } = holdall;
      await app.drivePurgeJob.settle();
      // Deleted long ago.
      await markDeleted(holdall, drive.id, 1);
      return {
        send: async () => {
          await app.cleanUp();
          return SUCCESS;
        },
        check: async () => {
          await app.cleanUp();
          assert.deepEqual(await listDrives(person, { deleted: true }), []);
          const { db } = app.database;
          assert.deepEqual(
            await db.selectFrom('drive').select('id').where('id', '=', drive.id).execute(),
            [],
          );
        },
      };
    },
  },
  {
    route: 'the maintenance jobs',
    prepare: async ({ alice, holdall }, name) => {
      const file = await alice.upload(`/${name}`, name);
      await alice.recycle(file);
      await alice.purge(file);
      const run = async () => {
        holdall.clock.advance(10_000);
        await holdall.app.cleanUp();
      };
      return {
        send: async () => {
          await run();
          return SUCCESS;
        },
        check: async () => {
          await run();
          const { db } = holdall.app.database;
          const unused = await db.selectFrom('blob').select('id').where('reference_count', '=', 0).execute();
          assert.deepEqual(unused, []);
        },
      };
    },
  },
];

const SUCCESS: Outcome = { status: 200, headers: new Headers() };

interface Prepared {
  readonly entry: EntryRecord;
  /** The names in the directory of the entry when the task is done. */
  readonly expected: readonly string[];
}

function taskCase(
  type: 'ARCHIVE' | 'EXTRACT' | 'MEDIA_META',
  prepare: (scene: Scene, name: string) => Promise<Prepared>,
): FaultCase {
  return {
    route: `a task ${type}`,
    prepare: async (scene, name) => {
      const { alice } = scene;
      const { entry, expected } = await prepare(scene, name);
      return {
        send: async () => await finish(scene, alice, await queueTask(alice, entry, { type })),
        check: async () => {
          assert.deepEqual((await alice.names(`/${name}`)).toSorted(), expected);
          if (type === 'MEDIA_META') assert.equal((await alice.details(entry)).metadata['media:width'], '2');
        },
      };
    },
  };
}

/** Waits for the end of the task. If it fails, retries it once, as a user would after the disk was full. */
async function finish({ holdall }: Scene, person: Person, task: TaskRecord): Promise<Outcome> {
  let isRetried = false;
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const { status, failureCategory, errorMessage } = await getTask(person, task);
    if (status === 'COMPLETED') return SUCCESS;
    if (status === 'FAILED') {
      assert.ok(!isRetried, `${failureCategory}: ${errorMessage}`);
      isRetried = true;
      await retryTask(person, task);
    }
    holdall.clock.advance(CLOCK_STEP_MS);
    await sleep(POLL_MS);
  }
  throw new Error('The task does not end.');
}

async function findEntry(person: Person, path: string, name: string): Promise<EntryRecord> {
  const entry = (await person.list(path)).items.find(({ filename }) => filename === name);
  assert.ok(entry);
  return entry;
}
