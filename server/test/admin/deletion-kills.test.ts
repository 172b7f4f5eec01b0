// tier: full
// runs on: sqlite, postgres
// needs: process
// Kills an instance repeatedly while it deletes an account. The next instance continues the deletion, and the
// doctor never finds a fault.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isLong } from '../../../tools/testing/tiers.ts';
import { MINUTE } from '../../src/base/clock.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { Instances } from '../support/app/instances.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { waitFor } from '../support/tasks/tasks.ts';

const MAX_KILLS = Number(process.env.HOLDALL_TEST_KILLS ?? (isLong ? 50 : 3));
const MAX_KILL_DELAY_MS = 120;

const observer = await startHoldall({
  env: { HOLDALL_WORKER_CONCURRENCY: '0', HOLDALL_ACCESS_TOKEN_TTL: '10d', HOLDALL_RATE_LIMITS: 'off' },
});
const { app } = observer;
const { db } = app.database;

test('an account is deleted even if every instance that deletes it is killed', {
  timeout: 5 * MINUTE,
}, async (t) => {
  const ann = await observer.register('ann');
  const bob = await observer.register('bob');
  await fillDrive(ann);
  const kept = await bob.upload('/kept', 'what ann has, too');
  const admin = await observer.admin();
  const instances = await Instances.start(1, observer, {
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_CLEANUP_INTERVAL: '1s',
  });
  const client = await instances.admit(admin);
  await client.ask('DELETE', `/api/admin/users/${ann.id}`, { body: { username: ann.username } });
  let kills = 0;
  for (; kills < MAX_KILLS && (await accountExists(ann)); kills += 1) {
    await sleep(randomInt(MAX_KILL_DELAY_MS));
    await instances.killAndRestart(0);
    assert.deepEqual((await diagnose(app)).faults, []);
    // Expires the leases of the killed instance, so that the next one need not wait for them.
    await app.database.transact(async (tx) => {
      await tx.updateTable('lease').set({ expires_at: 0 }).execute();
    });
  }
  t.diagnostic(`${kills} kills`);
  await waitFor(
    () => accountExists(ann),
    (is) => !is,
    'the end of the deletion',
  );
  await instances.stop();
  assert.equal((await bob.download(kept)).toString(), 'what ann has, too');
  observer.clock.advance(60 * MINUTE * 24);
  await app.cleanUp();
  await checkBooks(observer);
});

/** Fills the drive and the recycle bin with more entries than one transaction deletes. */
async function fillDrive(person: Person): Promise<void> {
  const directory = await person.mkdir('/all/one');
  for (let file = 0; file < 40; file += 1) await person.upload(`/all/one/${file}`, 'what ann has, too');
  for (let count = 0; count < 6; count += 1) await copy(person, directory, '/all');
  const all = (await person.list('/')).items.find(({ filename }) => filename === 'all');
  assert.ok(all);
  for (let count = 0; count < 10; count += 1) await copy(person, all, '/Documents');
  await person.recycle(all);
}

async function copy(person: Person, { id }: { id: number }, path: string): Promise<void> {
  await person.ask('POST', `/api/files/${id}/copy`, { body: { path, onConflict: 'RENAME' } });
}

async function accountExists({ id }: Person): Promise<boolean> {
  return (await db.selectFrom('account').select('id').where('id', '=', id).execute()).length > 0;
}
