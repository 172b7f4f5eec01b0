// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flagsOf } from './blob-flags.ts';

const good = { blobMissing: false, orphanRisk: false, referenceMismatch: false };

test('an object without faults is good', () => {
  assert.deepEqual(flagsOf(good), ['good']);
});

test('an object is not reported missing if its store did not answer', () => {
  assert.deepEqual(flagsOf({ ...good, blobMissing: null }), ['unknown']);
  assert.deepEqual(flagsOf({ ...good, blobMissing: true }), ['missing']);
});

test('all faults are listed, the worst first', () => {
  assert.deepEqual(flagsOf({ blobMissing: true, orphanRisk: true, referenceMismatch: true }), [
    'missing',
    'orphan',
    'mismatch',
  ]);
});
