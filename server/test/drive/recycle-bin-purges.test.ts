// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import type { EntryRecord } from '../../src/drive/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';

const holdall = await startHoldall();

describe('emptying the bin', () => {
  test('keeps entries that are deleted while it runs', async () => {
    const alice = await holdall.register('alice');
    const late = await alice.upload('/late', 'x');
    for (let index = 0; index < 105; index += 1) {
      await alice.recycle(await alice.upload(`/${index}`, 'x'));
    }
    const { bin } = holdall.app.drive;
    const purge = bin.purge.bind(bin);
    let purged = 0;
    bin.purge = async (...args) => {
      purged += 1;
      if (purged === 1) {
        holdall.clock.advance(1_000);
        await alice.recycle(late);
      }
      return purge(...args);
    };
    try {
      await alice.ask('DELETE', '/api/files/recycle-bin');
    } finally {
      bin.purge = purge;
    }
    assert.equal(purged, 105);
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
    await countReferences(broken, 0);
    holdall.clock.advance(11 * DAY);
    await assert.rejects(holdall.app.drive.bin.purgeExpired(AbortSignal.timeout(60_000)), (error) => {
      assert.ok(error instanceof AggregateError);
      assert.equal(error.errors.length, 1);
      return true;
    });
    await countReferences(broken, 1);
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

/** Sets a wrong reference count, or the right one again. */
async function countReferences(file: EntryRecord, count: number): Promise<void> {
  await holdall.app.database.transact((tx) =>
    tx
      .updateTable('blob')
      .set({ reference_count: count })
      .where('id', '=', (select) => select.selectFrom('entry').select('blob_id').where('id', '=', file.id))
      .execute(),
  );
}
