// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BucketLocation, originOfBucket } from './origin.ts';

const AMAZON: BucketLocation = {
  region: 'eu-central-1',
  bucket: 'photos',
  forcePathStyle: false,
};
const OWN: BucketLocation = { ...AMAZON, endpoint: 'http://10.0.0.7:7480/', forcePathStyle: true };

test('the origin has the bucket in the host name unless path style is set', () => {
  assert.equal(originOfBucket(AMAZON), 'https://photos.s3.eu-central-1.amazonaws.com');
  assert.equal(originOfBucket(OWN), 'http://10.0.0.7:7480');
});

test('the origin comes from the public endpoint if there is one', () => {
  const publicEndpoint = 'https://files.example.org';
  assert.equal(originOfBucket({ ...OWN, publicEndpoint }), publicEndpoint);
  assert.equal(
    originOfBucket({ ...OWN, publicEndpoint, forcePathStyle: false }),
    'https://photos.files.example.org',
  );
});
