// needs: bucket
import { after, before, describe } from 'node:test';
import { describeObjectStore } from '../support/storage/object-store-contract.ts';
import { testDirectTransfers } from '../support/storage/object-store-direct.ts';
import { makeS3Store, readS3Engine } from '../support/storage/s3-engine.ts';

// Says at once what is missing.
readS3Engine();

describeObjectStore('S3', makeS3Store);

describe('what clients do with S3 directly', () => {
  let underTest: Awaited<ReturnType<typeof makeS3Store>>;
  before(async () => {
    underTest = await makeS3Store();
  });
  after(() => underTest.close());
  testDirectTransfers(() => underTest.store);
});
