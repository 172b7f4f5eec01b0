// tier: full
// runs on: sqlite, postgres, s3
// needs: process
// Lets calls of background work fail: of tasks, policy migrations and maintenance. With the local disk,
// statements and file system calls fail; with S3, store calls fail.
import { after, test } from 'node:test';
import { isPostgres } from '../support/database/test-database.ts';
import { CASE_OPTIONS, Campaign } from '../support/faults/campaign.ts';
import { BACKGROUND_CASES } from '../support/faults/cases/background-cases.ts';
import { injectDatabaseFaults } from '../support/faults/database-faults.ts';
import { nameOf } from '../support/faults/fault-case.ts';
import type { FaultKind } from '../support/faults/fault-injector.ts';
import { injectFileFaults } from '../support/faults/file-faults.ts';
import { createScene } from '../support/faults/scene.ts';
import { FaultyStoreProxy, injectStoreFaults } from '../support/faults/store-faults.ts';
import { createTestStorage, isS3 } from '../support/storage/test-storage.ts';

const env = {
  HOLDALL_WORKER_CONCURRENCY: '1',
  HOLDALL_TASK_LEASE: '2s',
  HOLDALL_TASK_BACKOFF_SCALE: '0.001',
  HOLDALL_SWEEP_GRACE: '1s',
  HOLDALL_DOWNLOAD_URL_TTL: '1s',
  ...(isS3 ? { HOLDALL_S3_ENDPOINT: await startProxy() } : {}),
};
const { scene, scope } = await createScene({ env });
const campaign = new Campaign(scene, 'background');
const kinds = listFaultKinds();

for (const tested of BACKGROUND_CASES) {
  test(`${nameOf(tested)} survives the failure of any call`, CASE_OPTIONS, (t) =>
    campaign.run(t, tested, kinds),
  );
}

test('after all failures the books balance, and the doctor finds only unused objects', (t) =>
  campaign.finish(t));

function listFaultKinds(): readonly FaultKind[] {
  const { dataDir, databaseUrl } = scene.holdall;
  if (isS3) return injectStoreFaults(scope);
  const files = isPostgres ? [] : injectFileFaults(dataDir, scope);
  return [...injectDatabaseFaults(databaseUrl, scope), ...files];
}

async function startProxy(): Promise<string> {
  const proxy = await FaultyStoreProxy.start(createTestStorage().env.HOLDALL_S3_ENDPOINT ?? '');
  after(() => proxy.close());
  return proxy.url;
}
