// tier: full
// runs on: s3
// needs: process
// In all requests that use the object store, lets each store call fail: once within the SDK's own attempts
// and once beyond them. In uploads that clients send to the store directly, also lets the statements fail.
import { after, test } from 'node:test';
import { isLong } from '../../../tools/testing/tiers.ts';
import { CASE_OPTIONS, Campaign } from '../support/faults/campaign.ts';
import { injectDatabaseFaults } from '../support/faults/database-faults.ts';
import { type FaultCase, nameOf, type Scene } from '../support/faults/fault-case.ts';
import { isAboutFiles, isAboutUploads, listFaultCases } from '../support/faults/fault-cases.ts';
import { createScene } from '../support/faults/scene.ts';
import { FaultyStoreProxy, injectStoreFaults } from '../support/faults/store-faults.ts';
import { createTestStorage } from '../support/storage/test-storage.ts';

const { HOLDALL_S3_ENDPOINT: storeUrl = '' } = createTestStorage().env;
const proxy = await FaultyStoreProxy.start(storeUrl);
after(() => proxy.close());
// The service reaches its store through the proxy, and clients reach it directly.
const env = { HOLDALL_S3_ENDPOINT: proxy.url, HOLDALL_S3_PUBLIC_ENDPOINT: storeUrl };

/** Routes for which clients may exchange bytes with the store. Others behave the same in both scenes. */
const DIRECT_URLS = [
  ...['/api/files/upload/', '/api/v2/files/upload-sessions'],
  ...['/api/files/download/', '/api/v2/downloads'],
];

/** The short form leaves out routes that hardly use the store, and tests identical behaviour only once. */
function listCases({ isDirect, holdall }: Scene): readonly FaultCase[] {
  const all = listFaultCases(holdall.app.server);
  if (isLong) return all;
  const ofFiles = all.filter(isAboutFiles);
  return isDirect
    ? ofFiles.filter(({ route }) => DIRECT_URLS.some((url) => route.includes(` ${url}`)))
    : ofFiles;
}

// Both services start first, because tests that were defined before an `await` would run during it.
const scenes = [await createScene({ env }), await createScene({ isDirect: true, env })];

for (const { scene, scope } of scenes) {
  const { isDirect } = scene;
  const campaign = new Campaign(scene);
  const kinds = injectStoreFaults(scope);
  const databaseKinds = isDirect ? injectDatabaseFaults(scene.holdall.databaseUrl, scope) : [];
  const path = isDirect ? 'directly' : 'through the service';
  for (const tested of listCases(scene)) {
    if (tested.needs === (isDirect ? 'proxied' : 'direct')) continue;
    test(`${nameOf(tested)} survives the failure of any store call, ${path}`, CASE_OPTIONS, (t) =>
      campaign.run(t, tested, kinds),
    );
    if (!isDirect || !isAboutUploads(tested)) continue;
    test(`${nameOf(tested)} survives the failure of any statement, ${path}`, CASE_OPTIONS, (t) =>
      campaign.run(t, tested, databaseKinds),
    );
  }
  test(`after all failures the books balance, and only unused objects are left, ${path}`, (t) =>
    campaign.finish(t));
}
