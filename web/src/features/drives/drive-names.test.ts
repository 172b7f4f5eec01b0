// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DriveRecord } from '../../../../client/src/client.ts';

// Stands in for the browser's global.
Object.assign(globalThis, { window: { addEventListener: () => {} } });
const { nameOfDrive } = await import('./drive-names.ts');

test('a lost drive keeps its last known name, and one that was never seen has none', () => {
  const drives = [{ id: 7, kind: 'SHARED', name: 'Team' } as unknown as DriveRecord];
  assert.equal(nameOfDrive(7, undefined), undefined);
  assert.equal(nameOfDrive(7, drives), 'Team');
  assert.deepEqual(
    [nameOfDrive(7, []), nameOfDrive(8, []), nameOfDrive(undefined, drives)],
    ['Team', undefined, undefined],
  );
});
