// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { createSharedDrive, inDrive } from '../support/drives/shared-drives.ts';
import { dataOf } from '../support/notifications/listed.ts';

const QUOTA = 1_000;

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const admin = await holdall.admin();

const setQuota = (person: Person, quotaBytes: number) =>
  admin.ask('PATCH', `/api/admin/users/${person.id}/storage-quota`, {
    body: { storageQuotaBytes: quotaBytes },
  });

async function limitedPerson(): Promise<Person> {
  const person = await holdall.register();
  await setQuota(person, QUOTA);
  return person;
}

const fullnessOf = async (person: Person) =>
  (await dataOf(person, 'DRIVE_FULL')).map(({ usedBytes, quotaBytes }) => [usedBytes, quotaBytes]).reverse();

describe('the owner of a personal drive', () => {
  test('is told at 90 %, and again only after it was below 80 %', async () => {
    const person = await limitedPerson();
    await person.upload('/base.txt', 'x'.repeat(750));
    const first = await person.upload('/a.txt', 'x'.repeat(149));
    assert.deepEqual(await fullnessOf(person), [], 'at 89.9 %');
    const second = await person.upload('/b.txt', 'x');
    assert.deepEqual(await fullnessOf(person), [[900, QUOTA]]);
    const [told] = await dataOf(person, 'DRIVE_FULL');
    assert.deepEqual([told?.driveId, told?.driveName], [person.driveId, null]);
    const third = await person.upload('/c.txt', 'x'.repeat(50));
    await person.recycle(first);
    const fourth = await person.upload('/d.txt', 'x'.repeat(149));
    assert.equal((await fullnessOf(person)).length, 1, 'it was never below 80 %');
    for (const file of [second, third, fourth]) await person.recycle(file);
    await person.upload('/e.txt', 'x'.repeat(200));
    assert.deepEqual(await fullnessOf(person), [
      [900, QUOTA],
      [950, QUOTA],
    ]);
  });

  test('is told when an administrator lowers the quota', async () => {
    const person = await limitedPerson();
    await person.upload('/a.txt', 'x'.repeat(500));
    await setQuota(person, 550);
    await setQuota(person, 400);
    assert.deepEqual(await fullnessOf(person), [[500, 550]]);
    await setQuota(person, QUOTA);
    await setQuota(person, 500);
    assert.equal((await fullnessOf(person)).length, 2);
  });

  test('is told once by uploads that end at the same time', async () => {
    const person = await limitedPerson();
    const names = Array.from({ length: 10 }, (_, index) => `/${index}.txt`);
    await Promise.all(names.map((name) => person.upload(name, 'x'.repeat(100))));
    assert.equal((await fullnessOf(person)).length, 1);
  });
});

describe('the managers of a shared drive', () => {
  test('are told, and no other member', async () => {
    const [ann, bob, eve] = [
      await holdall.register('ann'),
      await holdall.register('bob'),
      await holdall.register('eve'),
    ];
    const driveId = await createSharedDrive(
      holdall,
      [
        [ann, 'MANAGER'],
        [bob, 'EDITOR'],
        [eve, 'MANAGER'],
      ],
      { name: 'Plans', quotaBytes: QUOTA },
    );
    await inDrive(bob, driveId).upload('/a.txt', 'x'.repeat(950));
    const told = { driveId, driveName: 'Plans', usedBytes: 950, quotaBytes: QUOTA };
    assert.deepEqual(await dataOf(ann, 'DRIVE_FULL'), [told]);
    assert.deepEqual(await dataOf(eve, 'DRIVE_FULL'), [told]);
    assert.deepEqual(await dataOf(bob, 'DRIVE_FULL'), []);
    await admin.ask('PATCH', `/api/admin/drives/${driveId}/limits`, { body: { quotaBytes: 10 * QUOTA } });
    await admin.ask('PATCH', `/api/admin/drives/${driveId}/limits`, { body: { quotaBytes: QUOTA } });
    assert.equal((await dataOf(ann, 'DRIVE_FULL')).length, 2);
  });
});
