import assert from 'node:assert/strict';
import { listDrives } from '../../drives/shared-drives.ts';
import type { NeedsByName } from '../example-case.ts';
import type { Fixture } from '../fixture.ts';

export const SHARED_DRIVE_NEEDS: NeedsByName = {
  'POST /api/v2/drives': {
    // A repeated request creates a second drive with the same name.
    check: async (fixture) => assert.deepEqual([...new Set(await namesOf(fixture))], ['Example drive']),
  },
  'PATCH /api/v2/drives/{id}': {
    check: async (fixture) => assert.deepEqual(await namesOf(fixture), ['New name']),
  },
  'DELETE /api/v2/drives/{id}': {
    check: async (fixture) => assert.deepEqual(await namesOf(fixture), []),
  },
  'POST /api/v2/drives/{id}/restore': {
    repeated: [400],
    check: async (fixture) => assert.deepEqual(await namesOf(fixture), ['deleted']),
  },
};

async function namesOf({ owner }: Fixture): Promise<readonly (string | null)[]> {
  const [, ...shared] = await listDrives(owner);
  return shared.map(({ name }) => name);
}
