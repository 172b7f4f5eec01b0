// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import { waitUntil } from '../../../tools/testing/wait-until.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { atEveryInstance, countStatuses, race } from '../support/checks/race.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { isPostgres } from '../support/database/test-database.ts';
import { countWaitingStatements } from '../support/database/waiting-statements.ts';
import { createManagedDrive, DRIVE_HEADER, recountMembers } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const { database } = holdall.app;
treatHalfAsLong(database);
const urls = [holdall.url, ...(isPostgres ? [(await startHoldall({ beside: holdall })).url] : [])];

afterEach(() => checkBooks(holdall));

interface Put {
  readonly entry: { readonly id: number };
  readonly from: number;
  readonly to: number;
}

const put = (person: Person, call: 'copy-to' | 'move-to', { entry, from, to }: Put) =>
  person.call<EntryRecord>('POST', `/api/v2/files/${entry.id}/${call}`, {
    headers: { [DRIVE_HEADER]: `${from}` },
    body: { driveId: to, path: '/', onConflict: 'RENAME' },
  });

/** A person with five files in each of two shared drives. */
async function makeTwoDrives() {
  const person = await holdall.register('dora');
  const [one, other] = [
    await createManagedDrive(holdall, [[person, 'EDITOR']]),
    await createManagedDrive(holdall, [[person, 'EDITOR']]),
  ];
  const puts: Put[] = [];
  for (let index = 0; index < 5; index += 1) {
    const entry = await person.upload(`/file-${index}`, `content ${index}`);
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const { data } = await put(person, 'copy-to', { entry, from: person.driveId, to: from });
      puts.push({ entry: data, from, to });
    }
  }
  return { person, clients: atEveryInstance(person, urls), one, other, puts };
}

describe('races between drives', () => {
  it('moves in both directions all succeed', async () => {
    const { person, clients, puts, one, other } = await makeTwoDrives();
    const answers = await race(clients, puts.length, (each, index) =>
      put(each, 'move-to', puts[index] as Put),
    );
    assert.deepEqual(countStatuses(answers), { 200: puts.length });
    for (const drive of [one, other]) assert.equal((await person.list('/', { drive })).total, 5);
  });

  it('exactly as many copies succeed as fit into the target', async () => {
    const { person, clients } = await makeTwoDrives();
    const target = await createManagedDrive(holdall, [[person, 'EDITOR']], { quotaBytes: 50_000 });
    const entry = await person.upload('/source', new Uint8Array(15_000));
    const answers = await race(clients, 12, (each) =>
      put(each, 'copy-to', { entry, from: person.driveId, to: target }),
    );
    assert.deepEqual(countStatuses(answers), { 200: 3, 413: 9 });
  });

  it('of several moves of one file exactly one succeeds', async () => {
    const { person, clients, puts } = await makeTwoDrives();
    const [first] = puts;
    assert.ok(first);
    const answers = await race(clients, 8, (each) => put(each, 'move-to', first));
    assert.deepEqual(countStatuses(answers), { 200: 1, 404: 7 });
    assert.equal((await person.list('/', { drive: first.to })).total, 6);
  });
});

// On SQLite, only one transaction can be open.
if (isPostgres) {
  /** Locks a drive until the returned function is called. */
  async function lockDrive(id: number): Promise<() => Promise<void>> {
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = database.transact(async (tx) => {
      await sql`select 1 from drive where id = ${id} for update`.execute(tx);
      locked.resolve();
      await released.promise;
    });
    await locked.promise;
    return async () => {
      released.resolve();
      await locking;
    };
  }

  /** Starts a move in each direction, on an instance each, while the first drive is locked. */
  async function startBoth({ clients, puts, one }: Awaited<ReturnType<typeof makeTwoDrives>>) {
    const release = await lockDrive(one);
    const moves = race(clients, 2, (each, index) => put(each, 'move-to', puts[index] as Put));
    await waitUntil(
      'both moves wait for the first drive',
      async () => (await countWaitingStatements(database)) === 2,
    );
    return { moves, release };
  }

  describe('moves in both directions that wait for the drive with the lower id', () => {
    it('do not lock the other drive meanwhile', async () => {
      const scene = await makeTwoDrives();
      const { moves, release } = await startBoth(scene);
      try {
        await database.transact((tx) =>
          sql`select 1 from drive where id = ${scene.other} for update nowait`.execute(tx),
        );
      } finally {
        await release();
      }
      assert.deepEqual(countStatuses(await moves), { 200: 2 });
    });

    for (const [change, role, status] of [
      ['is removed from the other drive', undefined, 404],
      ['becomes a VIEWER of the other drive', 'VIEWER', 403],
    ] as const) {
      it(`fail if their person ${change} meanwhile`, async () => {
        const scene = await makeTwoDrives();
        const { moves, release } = await startBoth(scene);
        // Not through HTTP: on this instance, the change would wait in memory for the moves.
        await setRole(scene.other, scene.person, role);
        await release();
        assert.deepEqual(countStatuses(await moves), { [status]: 2 });
        assert.equal((await scene.person.list('/', { drive: scene.one })).total, 5);
      });
    }
  });

  /** Changes the role of a member, or removes the member. */
  function setRole(driveId: number, { id }: Person, role: 'VIEWER' | undefined): Promise<void> {
    return database.transact(async (tx) => {
      await (role === undefined
        ? sql`delete from drive_member where drive_id = ${driveId} and account_id = ${id}`
        : sql`update drive_member set role = ${role} where drive_id = ${driveId} and account_id = ${id}`
      ).execute(tx);
      await recountMembers(tx, driveId);
    });
  }
}
