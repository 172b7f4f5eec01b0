// tier: default
// needs: bucket
import { after, before, describe } from 'node:test';
import { describeObjectStore } from '../support/storage/contract/object-store-contract.ts';
import { testDirectTransfers } from '../support/storage/contract/object-store-direct.ts';
import { makeS3Store, readS3Engine } from '../support/storage/s3-engine.ts';

// Fails immediately if no S3 store is running.
readS3Engine();

describeObjectStore('S3', makeS3Store);

describe('direct transfers between clients and S3', () => {
  let underTest: Awaited<ReturnType<typeof makeS3Store>>;
  before(async () => {
    underTest = await makeS3Store();
  });
  after(() => underTest.close());
  testDirectTransfers(() => underTest.store);
});
