// tier: full
// runs on: sqlite
// needs: process
// Lets each file system call of every request fail once. The response must be correct. Afterwards the same
// request or a new one must succeed, and the books must balance.
import { test } from 'node:test';
import { CASE_OPTIONS, Campaign } from '../support/faults/campaign.ts';
import { nameOf } from '../support/faults/fault-case.ts';
import { listFaultCases } from '../support/faults/fault-cases.ts';
import { injectFileFaults } from '../support/faults/file-faults.ts';
import { createScene } from '../support/faults/scene.ts';

const { scene, scope } = await createScene();
const campaign = new Campaign(scene);
const kinds = injectFileFaults(scene.holdall.dataDir, scope);

for (const tested of listFaultCases(scene.holdall.app.server)) {
  if (tested.needs === 'direct' || tested.needs === 's3') continue;
  test(`${nameOf(tested)} survives the failure of any file system call`, CASE_OPTIONS, (t) =>
    campaign.run(t, tested, kinds),
  );
}

test('after all failures the books balance, and the doctor finds only unused objects', (t) =>
  campaign.finish(t));
