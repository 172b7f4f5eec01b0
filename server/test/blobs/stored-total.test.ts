// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BlobTotal } from '../../src/blobs/blobs.ts';
import { asAdmin } from '../support/app/admin.ts';
import { startHoldall } from '../support/app/holdall.ts';

const HOUR = 3_600_000;
const holdall = await startHoldall({ env: { HOLDALL_ACCESS_TOKEN_TTL: '10d' } });
const { database } = holdall.app;
const total = new BlobTotal(database, holdall.clock);
const view = asAdmin(await holdall.admin());
const ann = await holdall.register('ann');
const { signal } = new AbortController();

async function check(): Promise<void> {
  const blobs = await database.db.selectFrom('blob').select('size').execute();
  const bytes = blobs.reduce((sum, { size }) => sum + size, 0);
  assert.deepEqual(await total.find(), { objects: blobs.length, bytes });
  assert.equal((await view.summary()).totalStorageBytes, bytes);
}

async function throughId(): Promise<number> {
  return (await database.db.selectFrom('blob_total').select('through_id').executeTakeFirstOrThrow())
    .through_id;
}

test('the total is exact, whether or not blobs are settled', async () => {
  await check();
  const first = await ann.upload('/first', '12345');
  await ann.copy(first, '/Documents');
  await check();
  await total.update(signal);
  assert.equal(await throughId(), 0, 'young blobs are not settled yet');
  holdall.clock.advance(2 * HOUR);
  await ann.upload('/second', '123');
  await total.update(signal);
  assert.ok((await throughId()) > 0);
  await check();
  const before = await throughId();
  await total.update(signal);
  assert.equal(await throughId(), before);
  await check();
});

test('removed blobs are subtracted, whether or not they are settled', async () => {
  const gone = [];
  for (let count = 0; count < 5; count += 1) gone.push(await ann.upload(`/gone ${count}`, 'x'.repeat(count)));
  holdall.clock.advance(2 * HOUR);
  await total.update(signal);
  for (let count = 0; count < 5; count += 1)
    gone.push(await ann.upload(`/young ${count}`, 'x'.repeat(count)));
  for (const entry of gone.filter((_, index) => index % 2 === 0)) {
    await ann.recycle(entry);
    await ann.purge(entry);
  }
  await check();
  holdall.clock.advance(2 * HOUR);
  await holdall.app.cleanUp();
  await check();
  holdall.clock.advance(2 * HOUR);
  await holdall.app.cleanUp();
  await check();
});

test('concurrent updates and removals count every blob exactly once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const entries = await Promise.all(
      Array.from({ length: 6 }, (_, index) => ann.upload(`/met ${round} ${index}`, 'x'.repeat(index))),
    );
    for (const entry of entries.slice(3)) {
      await ann.recycle(entry);
      await ann.purge(entry);
    }
    holdall.clock.advance(2 * HOUR);
    await Promise.all([
      holdall.app.cleanUp(),
      total.update(signal),
      total.update(signal),
      ann.upload(`/meanwhile ${round}`, 'xyz'),
    ]);
    await check();
  }
});
