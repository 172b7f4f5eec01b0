import { describeObjectStore } from './support/object-store-contract.ts';
import { makeS3Store } from './support/s3-engine.ts';

describeObjectStore('S3', makeS3Store);
