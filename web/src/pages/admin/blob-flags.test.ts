import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagsOf } from './blob-flags.ts';

const good = { blobMissing: false, orphanRisk: false, referenceMismatch: false };

test('an object is good when nothing is wrong with it', () => {
  assert.deepEqual(flagsOf(good), ['good']);
});

test('a store that could not be asked is no missing object', () => {
  assert.deepEqual(flagsOf({ ...good, blobMissing: null }), ['unknown']);
  assert.deepEqual(flagsOf({ ...good, blobMissing: true }), ['missing']);
});

test('all that is wrong is said, the worst first', () => {
  assert.deepEqual(flagsOf({ blobMissing: true, orphanRisk: true, referenceMismatch: true }), [
    'missing',
    'orphan',
    'mismatch',
  ]);
});
