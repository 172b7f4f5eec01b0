// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// Faults in the rows that say who a drive belongs to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { type Damage, rulesOf, testDamages } from '../support/checks/damage.ts';
import { diagnose } from '../support/checks/diagnose.ts';
import { sabotage } from '../support/checks/sabotage.ts';
import { addSharedDrive } from '../support/drives/admin-drive.ts';
import { inDrive } from '../support/drives/shared-drives.ts';

const holdall = await startHoldall();
const [alice, bob] = [await holdall.register('alice'), await holdall.register('bob')];
const members = [[alice, 'MANAGER'] as const, [bob, 'VIEWER'] as const];
const driveId = await addSharedDrive(holdall, { name: 'Team', members });
await inDrive(alice, driveId).upload('/docs/plan.txt', 'plan');

const run = (...statements: readonly string[]) => sabotage(holdall, ...statements);
const recountMembers = `update drive set member_count =
  (select count(*) from drive_member where drive_member.drive_id = drive.id)`;
const addMember = (drive: number, account: number) =>
  run(
    `insert into drive_member (drive_id, account_id, role, since)
      values (${drive}, ${account}, 'EDITOR', 1)`,
    recountMembers,
  );
const removeMember = (drive: number, account: number) =>
  run(`delete from drive_member where drive_id = ${drive} and account_id = ${account}`, recountMembers);
const MISSING = 77_777;

const DAMAGES: readonly Damage[] = [
  {
    title: 'a shared drive without a manager',
    damage: () => run(`update drive_member set role = 'EDITOR' where drive_id = ${driveId}`),
    rules: ['drive-manager'],
    undo: () => run(`update drive_member set role = 'MANAGER' where drive_id = ${driveId}`),
  },
  {
    title: 'an account without a personal drive',
    damage: () =>
      run(
        `update drive set kind = 'SHARED', account_id = null, name = 'taken', folded_name = 'taken'
          where id = ${bob.driveId}`,
        `insert into drive_member (drive_id, account_id, role, since)
          values (${bob.driveId}, ${bob.id}, 'MANAGER', 1)`,
        recountMembers,
      ),
    rules: ['personal-drive'],
    undo: () =>
      run(
        `delete from drive_member where drive_id = ${bob.driveId}`,
        recountMembers,
        `update drive set kind = 'PERSONAL', account_id = ${bob.id}, name = null, folded_name = null
          where id = ${bob.driveId}`,
      ),
  },
  {
    title: 'a wrong count of members',
    damage: () => run(`update drive set member_count = 7 where id = ${driveId}`),
    rules: ['drive-member-count'],
  },
  {
    title: 'a personal drive with members',
    damage: () => addMember(alice.driveId, bob.id),
    rules: ['personal-drive-members'],
    undo: () => removeMember(alice.driveId, bob.id),
  },
  {
    title: 'a member of a drive that does not exist',
    damage: () => addMember(MISSING, bob.id),
    rules: ['drive-member-drive-id'],
    undo: () => removeMember(MISSING, bob.id),
  },
  {
    title: 'a member whose account does not exist',
    damage: () => addMember(driveId, MISSING),
    rules: ['drive-member-account-id'],
    undo: () => removeMember(driveId, MISSING),
  },
  {
    title: 'a folded name that does not match the name of the drive',
    damage: () => run(`update drive set folded_name = 'other' where id = ${driveId}`),
    rules: ['drive-name'],
  },
  {
    title: 'a usage of a shared drive that is too low',
    damage: () => run(`update drive set used_bytes = 0 where id = ${driveId}`),
    rules: ['usage'],
  },
];

testDamages(holdall, DAMAGES);

test('a deleted shared drive may lack a manager', async () => {
  await run(
    `delete from drive_member where drive_id = ${driveId}`,
    recountMembers,
    `update drive set deleted_at = 5 where id = ${driveId}`,
  );
  assert.deepEqual(rulesOf((await diagnose(holdall.app)).faults), []);
});
