// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { atEveryInstance } from '../support/checks/race.ts';
import { addMember } from '../support/drives/members.ts';
import { createSharedDrive } from '../support/drives/shared-drives.ts';

const MISSES = 30;

const holdall = await startHoldall();
const open = await startHoldall({ beside: holdall, env: { HOLDALL_PEOPLE_SEARCH: 'all' } });
const [ann, bob, cleo] = [
  await holdall.register('ann'),
  await holdall.register('bob'),
  await holdall.register('cleo'),
];
await cleo.ask('PUT', '/api/user/profile', { body: { displayName: 'Dr. Cleopatra Ägypten' } });
await createSharedDrive(holdall, [
  [ann, 'MANAGER'],
  [cleo, 'VIEWER'],
]);

const search = (person: Person, query: string) =>
  person.call<{ accountId: number; username: string; displayName: string }[]>(
    'GET',
    `/api/v2/people?query=${encodeURIComponent(query)}`,
  );
const find = async (person: Person, query: string) => {
  const { status, data } = await search(person, query);
  assert.equal(status, 200);
  return data.map(({ accountId }) => accountId);
};

describe('a search for people', () => {
  test('finds those who share a drive, by the beginning of the username or of a name', async () => {
    for (const query of ['cleo', 'CLEO', 'dr.', 'cleopatra', 'ägy']) {
      assert.deepEqual(await find(ann, query), [cleo.id], query);
    }
    assert.deepEqual(await find(ann, 'patra'), []);
    assert.deepEqual(await find(ann, ''), [cleo.id]);
    assert.deepEqual(await find(bob, ''), []);
    assert.deepEqual((await search(ann, 'cleo')).data, [
      { accountId: cleo.id, username: cleo.username, displayName: 'Dr. Cleopatra Ägypten' },
    ]);
  });

  test('finds anyone by the whole username or e-mail address, but not by a part', async () => {
    assert.deepEqual(await find(ann, bob.username.toUpperCase()), [bob.id]);
    const { email } = await bob.ask<{ email: string }>('GET', '/api/user/profile');
    assert.deepEqual(await find(ann, email), [bob.id]);
    assert.deepEqual(await find(ann, bob.username.slice(0, -1)), []);
  });

  test('never finds the person who searches', async () => {
    assert.deepEqual(await find(ann, ann.username), []);
  });

  test('finds everyone by the beginning of the username if the setting says so', async () => {
    const [at = ann] = atEveryInstance(ann, [open.url]);
    assert.deepEqual(await find(at, bob.username.slice(0, -1)), [bob.id]);
    assert.deepEqual(await find(at, bob.username), [bob.id]);
    assert.deepEqual(await find(at, '%'), []);
  });

  test('does not find an account that is being deleted, or share its drives', async () => {
    const [dora, evan] = [await holdall.register('dora'), await holdall.register('evan')];
    await createSharedDrive(holdall, [
      [evan, 'MANAGER'],
      [dora, 'VIEWER'],
    ]);
    assert.deepEqual(await find(evan, ''), [dora.id]);
    const admin = await holdall.admin();
    await admin.ask('DELETE', `/api/admin/users/${dora.id}`, { body: { username: dora.username } });
    assert.deepEqual(await find(evan, ''), []);
    assert.deepEqual(await find(evan, dora.username), []);
  });
});

describe('accounts cannot be listed by guessing:', () => {
  test('searches that find nobody and unknown names of new members count together', async () => {
    const [eve, drive] = await enter();
    for (let miss = 0; miss < MISSES; miss += 2) {
      assert.deepEqual(await find(eve, `nobody-${miss}`), []);
      const added = await addMember(eve, drive, { username: `nobody-${miss}`, role: 'VIEWER' });
      assert.equal(added.status, 404);
    }
    // Even an existing name is rejected, so the caller learns nothing.
    assert.equal((await search(eve, bob.username)).status, 429);
    const added = await addMember(eve, drive, { username: bob.username, role: 'VIEWER' });
    assert.deepEqual([added.status, added.code], [429, 2429]);
    assert.deepEqual(await find(ann, bob.username), [bob.id], 'others can still search');
    holdall.clock.advance(60_000);
    assert.deepEqual(await find(eve, bob.username), [bob.id]);
  });

  test('so do unknown names at the creation of a drive', async () => {
    const eve = await holdall.register('eve');
    const create = (...usernames: string[]) =>
      eve.call<null>('POST', '/api/v2/drives', {
        body: { name: 'Team', members: usernames.map((username) => ({ username, role: 'VIEWER' })) },
      });
    // Names that are rejected before they are looked up do not count.
    for (let index = 0; index < MISSES; index += 1) {
      assert.equal((await create('no.one', eve.username)).status, 409);
    }
    for (let miss = 0; miss < MISSES; miss += 2) {
      const { status, msg } = await create(bob.username, `nobody-${miss}`, 'nobody-else');
      assert.deepEqual([status, msg], [404, `There is no account named "nobody-${miss}".`]);
      assert.deepEqual(await find(eve, `nobody-${miss}`), []);
    }
    const refused = await create(bob.username);
    assert.deepEqual([refused.status, refused.code], [429, 2429]);
    assert.equal((await search(eve, bob.username)).status, 429);
    assert.equal((await create()).status, 200, 'a drive without other members can be created');
    holdall.clock.advance(60_000);
    assert.equal((await create(bob.username)).status, 200);
  });

  test('a display name that begins like the guess does not hide a miss', async () => {
    const [eve] = await enter();
    const helper = await holdall.register('helper');
    await helper.ask('PUT', '/api/user/profile', { body: { displayName: 'bob' } });
    await createSharedDrive(holdall, [
      [eve, 'MANAGER'],
      [helper, 'VIEWER'],
    ]);
    for (let miss = 0; miss < MISSES; miss += 1) assert.deepEqual(await find(eve, 'bob'), [helper.id]);
    assert.equal((await search(eve, 'bob')).status, 429);
  });

  test('typing the name of someone known does not count', async () => {
    for (let search = 0; search <= MISSES; search += 1) assert.deepEqual(await find(ann, 'cle'), [cleo.id]);
  });
});

async function enter(): Promise<readonly [Person, number]> {
  const eve = await holdall.register('eve');
  return [eve, await createSharedDrive(holdall, [[eve, 'MANAGER']])];
}
