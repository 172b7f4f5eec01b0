import assert from 'node:assert/strict';
import { rolesIn } from '../../drives/members.ts';
import { DRIVES, listDrives } from '../../drives/shared-drives.ts';
import type { NeedsByName } from '../example-case.ts';
import { type FaultCase, sending } from '../fault-case.ts';
import type { Fixture } from '../fixture.ts';
import { colleague, member, other, sharedDrive } from '../fixtures/shared-drives.ts';

export const SHARED_DRIVE_NEEDS: NeedsByName = {
  'POST /api/v2/drives': {
    check: async (fixture) => {
      const [own, drive, ...more] = await listDrives(fixture.owner);
      assert.deepEqual([own?.usedBytes, drive?.name, more], [0, 'Example drive', []]);
      const { items } = await fixture.owner.list('/', { drive: drive?.id ?? 0 });
      assert.deepEqual(
        items.map(({ filename }) => filename),
        ['file.txt'],
      );
      assert.equal((await fixture.owner.bin()).total, 1);
      const { id } = await fixture.once(colleague);
      assert.deepEqual(new Map(await rolesIn(fixture.owner, drive?.id ?? 0)).get(id), 'EDITOR');
    },
  },
  'POST /api/v2/drives/{id}/members': {
    check: async (fixture) => assert.equal(await roleOf(fixture, other), 'EDITOR'),
  },
  'PATCH /api/v2/drives/{id}/members/{accountId}': {
    check: async (fixture) => assert.equal(await roleOf(fixture, member), 'VIEWER'),
  },
  'DELETE /api/v2/drives/{id}/members/{accountId}': {
    check: async (fixture) => assert.equal(await roleOf(fixture, member), undefined),
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

/** Cases without an example. */
export const MORE_SHARED_DRIVE_CASES: readonly FaultCase[] = [
  {
    route: 'POST /api/v2/drives',
    what: 'empty',
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      return {
        send: sending(person, 'POST', DRIVES, { name }),
        check: async () => {
          // A repeated request creates a second drive with the same name.
          const [, ...shared] = await listDrives(person);
          assert.deepEqual([...new Set(shared.map((drive) => drive.name))], [name]);
        },
      };
    },
  },
];

/** The role of someone in the shared drive of the example. */
async function roleOf(fixture: Fixture, who: typeof member): Promise<string | undefined> {
  const [{ id }, drive] = [await fixture.once(who), await fixture.once(sharedDrive)];
  return new Map(await rolesIn(fixture.owner, drive.id)).get(id);
}

async function namesOf({ owner }: Fixture): Promise<readonly (string | null)[]> {
  const [, ...shared] = await listDrives(owner);
  return shared.map(({ name }) => name);
}
