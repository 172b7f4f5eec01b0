import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Holdall } from '../app/holdall.ts';
import type { Answer, Person } from '../app/person.ts';
import { atEveryInstance } from '../checks/race.ts';
import { closeLockGate, type LockGate } from './lock-gate.ts';
import { removeMember, setRole } from './members.ts';
import { createSharedDrive, inDrive } from './shared-drives.ts';

/** Ways to reduce the rights of an editor, and the status of what the editor tries afterwards. */
export const REDUCTIONS = [
  { what: 'removed', status: 404, reduce: removeMember },
  {
    ...{ what: 'demoted', status: 403 },
    reduce: (person: Person, drive: number, member: { id: number }) =>
      setRole(person, drive, member, 'VIEWER'),
  },
] as const;

/** A shared drive whose editor loses rights during a change. */
export interface MemberRace {
  readonly drive: number;
  /** The manager, who calls another instance than the editor, outside the drive. */
  readonly manager: Person;
  /** The manager in the drive. */
  readonly ann: Person;
  /** The editor outside the drive. */
  readonly bob: Person;
  /** The editor in the drive. */
  readonly editor: Person;
  /**
   * Holds what the editor does in the drive just before it takes effect.
   * @param passed how many of the editor's next changes are not held
   */
  holdChanges(context: TestContext, passed?: number): LockGate;
}

/** Makes a drive of a manager, who calls the last instance, and an editor, who calls the first. */
export async function startMemberRace(instances: readonly [Holdall, ...Holdall[]]): Promise<MemberRace> {
  const [holdall] = instances;
  const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
  const drive = await createSharedDrive(holdall, [
    [ann, 'MANAGER'],
    [bob, 'EDITOR'],
  ]);
  const urls = instances.map(({ url }) => url);
  return {
    drive,
    manager: atEveryInstance(ann, urls).at(-1) as Person,
    ann: inDrive(ann, drive),
    bob,
    editor: inDrive(bob, drive),
    holdChanges: (context, passed = 0) => {
      let count = 0;
      return closeLockGate(context, instances, ({ accountId }) => {
        if (accountId !== bob.id) return false;
        count += 1;
        return count > passed;
      });
    },
  };
}

/** Reduces the rights of the editor while the change waits at the gate. Returns the result of the change. */
export async function reduceDuring<T>(
  gate: LockGate,
  reduce: () => Promise<Answer<unknown>>,
  change: () => Promise<T>,
): Promise<T> {
  const changing = change();
  await gate.reached();
  assert.equal((await reduce()).status, 200);
  gate.open();
  return changing;
}
