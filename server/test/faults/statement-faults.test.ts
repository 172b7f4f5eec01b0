// tier: full
// runs on: sqlite, postgres
// needs: process
// Lets each SQL statement of every request fail once, including `begin` and `commit`. The response must be
// correct. Afterwards the same request or a new one must succeed, and the books must balance.
import { test } from 'node:test';
import { CASE_OPTIONS, Campaign } from '../support/faults/campaign.ts';
import { injectDatabaseFaults } from '../support/faults/database-faults.ts';
import { nameOf } from '../support/faults/fault-case.ts';
import { listFaultCases } from '../support/faults/fault-cases.ts';
import { createScene } from '../support/faults/scene.ts';

const { scene, scope } = await createScene();
const campaign = new Campaign(scene);
const kinds = injectDatabaseFaults(scene.holdall.databaseUrl, scope);

for (const tested of listFaultCases(scene.holdall.app.server)) {
  if (tested.needs === 'direct' || tested.needs === 's3') continue;
  test(`${nameOf(tested)} survives the failure of any statement`, CASE_OPTIONS, (t) =>
    campaign.run(t, tested, kinds),
  );
}

test('after all failures the books balance, and the doctor finds only unused objects', (t) =>
  campaign.finish(t));
