// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import { sql } from 'kysely';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { DAY } from '../../../src/base/clock.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { checkBooks } from '../../support/checks/books.ts';
import { diagnose } from '../../support/checks/diagnose.ts';

const holdall = await startHoldall();

describe('emptying the bin', () => {
  test('keeps entries that are deleted while it runs', inFull, async (context) => {
    const alice = await holdall.register('alice');
    const late = await alice.upload('/late', 'x');
    for (let index = 0; index < 105; index += 1) {
      await alice.recycle(await alice.upload(`/${index}`, 'x'));
    }
    const { drives } = holdall.app;
    const lock = drives.withDriveLock.bind(drives);
    const recycleFirst: typeof lock = async (...args) => {
      holdall.clock.advance(1_000);
      await alice.recycle(late);
      return lock(...args);
    };
    // The first purge locks the drive after the recycling. Later changes lock it as usual.
    context.mock.method(drives, 'withDriveLock', recycleFirst, { times: 1 });
    await alice.ask('DELETE', '/api/files/recycle-bin');
    assert.deepEqual(
      (await alice.bin()).items.map((record) => record.id),
      [late.id],
    );
  });
});

describe('the purge job', () => {
  test('purges the other trees if one cannot be purged, and reports the error', async () => {
    const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
    const files: EntryRecord[] = [];
    for (const name of ['a', 'b', 'c']) {
      const file = await alice.upload(`/${name}`, name);
      files.push(file);
      await alice.recycle(file);
      await bob.recycle(await bob.upload(`/${name}`, name));
    }
    const [, broken] = files;
    assert.ok(broken);
    await setReferenceCount(broken, 0);
    holdall.clock.advance(11 * DAY);
    await assert.rejects(holdall.app.drive.bin.purgeExpired(AbortSignal.timeout(60_000)), (error) => {
      assert.ok(error instanceof AggregateError);
      assert.equal(error.errors.length, 1);
      return true;
    });
    await setReferenceCount(broken, 1);
    for (const person of [alice, bob]) await person.logIn();
    assert.deepEqual(
      (await alice.bin()).items.map((record) => record.id),
      [broken.id],
    );
    assert.equal((await bob.bin()).total, 0);
    await holdall.app.cleanUp();
    assert.equal((await alice.bin()).total, 0);
  });
});

describe('a tree of thousands of entries', () => {
  /** Recycles a tree of 2,651 entries, more than one transaction deletes. One file has a version. */
  async function recycleLargeTree(person: Person): Promise<EntryRecord> {
    const large = await person.mkdir('/large');
    const part = await person.mkdir('/part');
    const { id } = await person.upload('/large/replaced.txt', 'old');
    await person.ask('PUT', `/api/v2/files/${id}/content`, { body: 'new' });
    for (let index = 0; index < 52; index += 1) await person.upload(`/part/${index}.txt`, 'bytes');
    for (let index = 0; index < 50; index += 1) {
      await person.rename(await person.copy(part, '/large'), `${index}`);
    }
    await person.recycle(large);
    return large;
  }

  test('is purged in several transactions, and nothing of it is left', inFull, async () => {
    const person = await holdall.register('lara');
    const large = await recycleLargeTree(person);
    const transactions = mock.method(holdall.app.database, 'transactBySize');
    await person.purge(large);
    const count = transactions.mock.callCount();
    transactions.mock.restore();
    assert.ok(count > 3, `${count} transactions`);
    await person.refused(404, 1003, 'DELETE', `/api/files/recycle-bin/${large.id}`);
    assert.deepEqual(await countEntries(person), { counted: 53 + 3, stored: 53 + 3 });
    await checkBooks(holdall);
  });

  test('leaves the bin even if its purge is interrupted, and maintenance deletes the rest', async () => {
    const person = await holdall.register('lara');
    const large = await recycleLargeTree(person);
    const { database } = holdall.app;
    const transactBySize = database.transactBySize.bind(database);
    let count = 0;
    const transactions = mock.method(database, 'transactBySize', ((...args) => {
      count += 1;
      if (count === 3) throw new Error('the process dies');
      return transactBySize(...args);
    }) as typeof transactBySize);
    await person.refused(500, 1500, 'DELETE', `/api/files/recycle-bin/${large.id}`);
    transactions.mock.restore();
    assert.equal((await person.bin()).total, 0);
    await person.refused(404, 1003, 'POST', `/api/files/recycle-bin/${large.id}/restore`);
    assert.ok((await countEntries(person)).stored > 100);
    assert.deepEqual((await diagnose(holdall.app)).faults, []);
    await holdall.app.cleanUp();
    assert.deepEqual(await countEntries(person), { counted: 53 + 3, stored: 53 + 3 });
    await checkBooks(holdall);
  });
});

/** Returns how many entries the drive is charged for, and how many are in the database. */
async function countEntries(person: Person) {
  const { rows } = await sql<{ counted: number; stored: number }>`
    select entry_count as counted,
      (select cast(count(*) as bigint) from entry
        where drive_id = drive.id and (parent_id is not null or deleted_at is not null)) as stored
    from drive where id = ${person.driveId}`.execute(holdall.app.database.db);
  return rows[0] ?? { counted: 0, stored: 0 };
}

/** Sets the reference count of the file's blob. */
async function setReferenceCount(file: EntryRecord, count: number): Promise<void> {
  await holdall.app.database.transact((tx) =>
    tx
      .updateTable('blob')
      .set({ reference_count: count })
      .where('id', '=', (select) => select.selectFrom('entry').select('blob_id').where('id', '=', file.id))
      .execute(),
  );
}
