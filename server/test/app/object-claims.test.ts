// tier: default
// runs on: sqlite
// The sweeper and the doctor share one list of claims on objects. With two lists, a claimant missing from
// one of them would lose its objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY } from '../../src/base/clock.ts';
import type { ObjectClaims } from '../../src/blobs/blobs.ts';
import { listChecks, runDoctor } from '../../src/doctor/doctor.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { send } from '../support/storage/byte-sources.ts';

const claimed = new Set<string>();
const claims: ObjectClaims = {
  findClaimedKeys: async (_db, keys) => keys.filter((key) => claimed.has(key)),
  findOldest: async () => undefined,
};

const { app, clock } = await startHoldall({ objectClaims: [claims] });
const store = async () => {
  const key = app.blobs.newKey();
  await app.store.write(key, send(Buffer.of(1)));
  return key;
};
const claimedKey = await store();
const orphanKey = await store();
claimed.add(claimedKey);
clock.advance(2 * DAY);

async function findOrphans(): Promise<readonly string[]> {
  const { id: policyId } = await app.policies.getDefault();
  const faults: string[] = [];
  await runDoctor({
    checks: listChecks({
      database: app.database,
      clock,
      stores: [{ policyId, store: app.store, isExclusive: true }],
      orphans: app.orphans,
      graceMs: 0,
      isDeep: false,
    }),
    signal: new AbortController().signal,
    onFault: ({ id }) => faults.push(String(id).replace(/^\d+:/, '')),
    recheckDelaysMs: [0, 0],
  });
  return faults;
}

test('the doctor reports an unclaimed object, but not a claimed one', async () => {
  assert.deepEqual(await findOrphans(), [orphanKey]);
});

test('the sweeper removes an unclaimed object, but not a claimed one', async () => {
  await app.cleanUp();
  assert.equal(await app.store.find(orphanKey), undefined);
  assert.ok(await app.store.find(claimedKey));
});

test('without the claim the doctor and the sweeper treat the object as an orphan', async () => {
  claimed.clear();
  assert.deepEqual(await findOrphans(), [claimedKey]);
  await app.cleanUp();
  assert.equal(await app.store.find(claimedKey), undefined);
});
