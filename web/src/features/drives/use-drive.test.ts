// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DriveRecord } from '../../../../client/src/client.ts';

// Stands in for the browser's global.
Object.assign(globalThis, { window: { addEventListener: () => {} } });
const { toDrive } = await import('./use-drive.ts');

test('a role allows what it is for, and a drive that is not loaded or lost allows nothing', () => {
  const drives = (['VIEWER', 'EDITOR', 'MANAGER'] as const).map(
    (role, at) => ({ id: at + 7, kind: 'SHARED', name: role, role }) as unknown as DriveRecord,
  );
  const rightsIn = (id: number | undefined, known: readonly DriveRecord[] | undefined) => {
    const { can } = toDrive(id, known);
    return [can('EDIT'), can('MANAGE')];
  };
  assert.deepEqual(
    [7, 8, 9].map((id) => rightsIn(id, drives)),
    [
      [false, false],
      [true, false],
      [true, true],
    ],
  );
  assert.deepEqual(rightsIn(undefined, undefined), [true, true]);
  assert.deepEqual(
    [rightsIn(10, drives), rightsIn(8, undefined)],
    [
      [false, false],
      [false, false],
    ],
  );
});
