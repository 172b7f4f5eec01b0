// tier: full
// runs on: sqlite, postgres
// needs: process
// Kills an instance repeatedly while it makes a drive from a large directory. Afterwards, either the drive
// has everything and the directory is in the bin, or there is no drive and the directory is in its place.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../../tools/testing/tiers.ts';
import { MINUTE, SECOND } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Instances } from '../support/app/instances.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { DRIVES, listDrives } from '../support/drives/shared-drives.ts';

const KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? (isLong ? 40 : 4));
const ENTRIES = 2_881;

const env = { HOLDALL_RATE_LIMITS: 'off', HOLDALL_MAX_SHARED_DRIVES: '1000' };
const observer = await startHoldall({
  env: { ...env, HOLDALL_WORKER_CONCURRENCY: '0', HOLDALL_ACCESS_TOKEN_TTL: '10d' },
});

test('a drive is made completely or not at all, even if its instance is killed', {
  timeout: 3 * MINUTE + KILLS * 30 * SECOND,
}, async (t) => {
  const ann = await observer.register('ann');
  const directory = await fillDirectory(ann);
  const instances = await Instances.start(1, observer, env);
  const make = async () => {
    const client = await instances.admit(ann);
    return client.call('POST', DRIVES, { body: { name: 'Team', fromFileId: directory.id } });
  };
  const before = performance.now();
  assert.equal((await make()).status, 200);
  const duration = performance.now() - before;
  await ann.restore(directory);
  let made = 1;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const making = make().catch(() => undefined);
    // The kills are spread over the whole duration.
    await sleep((duration * (kill + 1)) / (KILLS + 1));
    await instances.killAndRestart(0);
    const isAcknowledged = (await making)?.status === 200;
    // A transaction that was about to commit may still do so on PostgreSQL.
    await observer.app.database.transact((tx) =>
      tx.selectFrom('drive').select('id').where('id', '=', ann.driveId).forNoKeyUpdate().execute(),
    );
    const isInBin = (await ann.bin()).total === 1;
    made += isInBin ? 1 : 0;
    assert.ok(isInBin || !isAcknowledged, 'an acknowledged drive is lost');
    const [, ...drives] = await listDrives(ann);
    assert.deepEqual(
      drives.map(({ entryCount }) => entryCount),
      Array.from({ length: made }, () => ENTRIES - 1),
    );
    assert.equal((await ann.names()).includes('all'), !isInBin);
    assert.deepEqual((await diagnose(observer.app)).faults, []);
    if (isInBin) await ann.restore(directory);
  }
  t.diagnostic(`${KILLS} kills, after which there are ${made} drives`);
  await instances.stop();
  await observer.app.cleanUp();
  await checkBooks(observer);
});

/** A directory with more entries than a transaction changes on the event loop. */
async function fillDirectory(person: Person): Promise<{ readonly id: number }> {
  const one = await person.mkdir('/parts/one');
  for (let file = 0; file < 40; file += 1) await person.upload(`/parts/one/${file}`, 'the same bytes');
  const copy = (id: number, path: string) =>
    person.ask('POST', `/api/files/${id}/copy`, { body: { path, onConflict: 'RENAME' } });
  for (let count = 1; count < 7; count += 1) await copy(one.id, '/parts');
  const all = await person.mkdir('/all');
  const parts = (await person.list()).items.find(({ filename }) => filename === 'parts');
  for (let count = 0; count < 10; count += 1) await copy(parts?.id ?? 0, '/all');
  return all;
}
