// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProgress } from './migration-progress.ts';

test('unreported parts of the progress count as 0', () => {
  const publicStateJson = {
    sourcePolicyId: 1,
    targetPolicyId: 2,
    processedObjectCount: 3,
    totalObjectCount: 4,
  };
  assert.deepEqual(readProgress({ publicStateJson }), {
    ...{ sourcePolicyId: 1, targetPolicyId: 2, objects: 3, totalObjects: 4 },
    ...{ bytes: 0, totalBytes: 0, percent: 0 },
  });
});
