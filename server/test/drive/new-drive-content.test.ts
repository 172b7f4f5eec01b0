// tier: default
// runs on: sqlite
// runs on, with --full: postgres
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import type { Tx } from '../../src/database/database.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import type { DriveLimits } from '../../src/drives/drives.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { treatHalfAsLong } from '../support/database/half-long.ts';
import { insertDrive } from '../support/drives/shared-drives.ts';
import { readChanges } from '../support/events/changes.ts';

const holdall = await startHoldall({ env: { HOLDALL_DEFAULT_DIRECTORIES: 'Work' }, maxTreeEntries: 20 });
const { database, drives, drive } = holdall.app;
treatHalfAsLong(database);

afterEach(() => checkBooks(holdall));

interface Options {
  readonly limits?: Partial<DriveLimits>;
  /** Runs at the end of the transaction. */
  readonly atEnd?: (tx: Tx) => void;
}

/** Makes a shared drive with the content of a directory, in one transaction. Returns its id. */
function makeDriveFrom(
  person: Person,
  { id: fileId }: { readonly id: number },
  { limits, atEnd }: Options = {},
): Promise<number> {
  const actor = { driveId: person.driveId, accountId: person.id, clientId: null };
  const make = async (tx: Tx) => {
    const driveId = await insertDrive(tx, holdall.clock.now(), [[person, 'MANAGER']], limits);
    await drive.betweenDrives.moveIntoNewDrive(tx, { actor, fileId, driveId });
    atEnd?.(tx);
    return driveId;
  };
  return drives.withDriveLock(actor, 0, make, drive.betweenDrives.isLongMove(fileId));
}

/** A person with a directory, which has a file, and a directory with another file. */
async function makeScene() {
  const person = await holdall.register('erik');
  const file = await person.upload('/Work/plan.txt', 'the plan');
  const below = await person.upload('/Work/2026/budget.txt', 'the budget');
  const directory = (await person.list()).items.find(({ filename }) => filename === 'Work');
  assert.ok(directory);
  return { person, file, below, directory };
}

const recordsIn = (person: Person, id: number, path: string): Promise<readonly EntryRecord[]> =>
  person.list(path, { drive: id }).then(({ items }) => items);

describe('a drive that is made from a directory', () => {
  it('has the content of the directory, with the same bytes and times', async () => {
    const { person, file, below, directory } = await makeScene();
    await holdall.app.database.transact((tx) =>
      tx.insertInto('entry_metadata').values({ entry_id: file.id, name: 'note', value: 'x' }).execute(),
    );
    const id = await makeDriveFrom(person, directory);
    const [year, plan] = await recordsIn(person, id, '/');
    const [budget] = await recordsIn(person, id, '/2026');
    assert.deepEqual([year?.path, plan?.path, budget?.path], ['/2026', '/plan.txt', '/2026/budget.txt']);
    assert.deepEqual([plan?.modifiedAt, budget?.modifiedAt], [file.modifiedAt, below.modifiedAt]);
    const response = await person.fetch('GET', `/api/files/download/${budget?.id}?drive=${id}`);
    assert.equal(await response.text(), 'the budget');
    const { metadata } = await person.ask<{ metadata: unknown }>(
      'GET',
      `/api/v2/files/${plan?.id}?drive=${id}`,
    );
    assert.deepEqual(metadata, { note: 'x' });
  });

  it('leaves the directory in the bin, from where it can be restored', async () => {
    const { person, file, directory } = await makeScene();
    const { nextCursor: cursor } = await readChanges(person);
    await makeDriveFrom(person, directory);
    assert.deepEqual([await person.names(), await person.usedBytes()], [[], 0]);
    assert.deepEqual(
      (await person.bin()).items.map(({ id }) => id),
      [directory.id],
    );
    const changes = (await readChanges(person, { cursor })).items;
    assert.deepEqual(
      changes.map(({ eventType, fromPath }) => [eventType, fromPath]),
      [['DELETED', '/Work']],
    );
    await person.restore(directory);
    assert.equal((await person.download(file)).toString(), 'the plan');
  });

  it('can be made from an empty directory, whatever the limits', async () => {
    const { person } = await makeScene();
    const empty = await person.mkdir('/empty');
    const id = await makeDriveFrom(person, empty, { limits: { quotaBytes: 1, maxEntries: 1 } });
    assert.deepEqual(await recordsIn(person, id, '/'), []);
  });

  const countDrives = async () => (await database.db.selectFrom('drive').select('id').execute()).length;

  for (const [what, options] of [
    ['the quota is too small', { limits: { quotaBytes: 17 } }],
    ['there are too many entries', { limits: { maxEntries: 2 } }],
  ] as const) {
    it(`is not made if ${what}, and the directory stays`, async () => {
      const { person, directory } = await makeScene();
      const [state, count] = [await person.state(), await countDrives()];
      await assert.rejects(makeDriveFrom(person, directory, options), { kind: 'over-limit' });
      assert.deepEqual([await person.state(), await countDrives()], [state, count]);
    });
  }

  it('may use its limits up', async () => {
    const { person, directory } = await makeScene();
    const id = await makeDriveFrom(person, directory, { limits: { quotaBytes: 18, maxEntries: 3 } });
    assert.equal((await recordsIn(person, id, '/')).length, 2);
  });

  it('is not made from a directory with too many entries for one copy', async () => {
    const { person, directory } = await makeScene();
    for (let index = 0; index < 20; index += 1) await person.mkdir(`/Work/${index}`);
    await assert.rejects(makeDriveFrom(person, directory), { kind: 'over-limit' });
  });

  it('is not made if anything after the move fails, and the directory stays', async () => {
    const { person, directory } = await makeScene();
    const [state, count] = [await person.state(), await countDrives()];
    const atEnd = () => assert.fail('interrupted');
    await assert.rejects(makeDriveFrom(person, directory, { atEnd }), /interrupted/);
    assert.deepEqual([await person.state(), await countDrives()], [state, count]);
  });

  it('is not made from a file, or from what is not in the drive of the actor', async () => {
    const { person, file, directory } = await makeScene();
    const other = await holdall.register('other');
    await assert.rejects(makeDriveFrom(person, file), { kind: 'rejected' });
    await assert.rejects(makeDriveFrom(other, directory), { kind: 'not-found' });
    await person.recycle(directory);
    await assert.rejects(makeDriveFrom(person, directory), { kind: 'not-found' });
  });
});
