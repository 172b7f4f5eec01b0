// tier: default
// runs on: sqlite, postgres
// The list of first steps: what is done follows from what the account has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FirstSteps, User } from '../../src/app/contract.ts';
import { createAppPassword, listAppPasswords } from '../support/app/app-passwords.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { setUpTotp } from '../support/app/second-factor.ts';

const holdall = await startHoldall();

const stepsOf = (person: Person) => person.ask<FirstSteps>('GET', '/api/user/first-steps');
const NONE = { file: false, link: false, device: false, protection: false };

test('each first step is done as soon as there is what it is about, and open again without it', async () => {
  const admin = await holdall.admin();
  assert.deepEqual(await stepsOf(admin), { ...NONE, people: false });
  const ann = await holdall.register('ann');
  assert.deepEqual(await stepsOf(admin), { ...NONE, people: true });
  const done = { ...NONE, people: true };
  assert.deepEqual(await stepsOf(ann), done);
  await ann.upload('/letter.txt', 'Dear all');
  assert.deepEqual(await stepsOf(ann), Object.assign(done, { file: true }));
  const [letter] = (await ann.list('/')).items.filter(({ filename }) => filename === 'letter.txt');
  await ann.ask('POST', '/api/v2/shares', { body: { fileId: letter?.id } });
  assert.deepEqual(await stepsOf(ann), Object.assign(done, { link: true }));
  await createAppPassword(ann);
  assert.deepEqual(await stepsOf(ann), Object.assign(done, { device: true }));
  await setUpTotp(ann, holdall.clock);
  assert.deepEqual(await stepsOf(ann), Object.assign(done, { protection: true }));

  const [password] = await listAppPasswords(ann);
  await ann.ask('DELETE', `/api/user/app-passwords/${password?.id}`);
  assert.deepEqual(await stepsOf(ann), Object.assign(done, { device: false }));
  // Another account has done nothing of this.
  assert.deepEqual(await stepsOf(await holdall.register('bob')), { ...NONE, people: true });
});

test('a folder link also counts as a link', async () => {
  const cleo = await holdall.register('cleo');
  const { id } = await cleo.ask<{ id: number }>('POST', '/api/files/mkdir', { body: { path: '/Trip' } });
  await cleo.ask('POST', '/api/v2/folder-links', { body: { directoryId: id, mode: 'VIEW' } });
  assert.equal((await stepsOf(cleo)).link, true);
});

test('the list is hidden for every device of the account, and only for this account', async () => {
  const [dora, emil] = [await holdall.register('dora'), await holdall.register('emil')];
  const isHidden = async (person: Person) =>
    (await person.ask<User>('GET', '/api/user/profile')).firstStepsHidden;
  assert.equal(await isHidden(dora), false);
  const changed = await dora.ask<User>('PUT', '/api/user/profile', { body: { firstStepsHidden: true } });
  assert.equal(changed.firstStepsHidden, true);
  const phone = await dora.with(undefined).logIn(undefined, 'mobile');
  assert.equal(await isHidden(phone), true);
  await phone.ask('PUT', '/api/user/profile', { body: { bio: 'Sails.' } });
  assert.equal(await isHidden(dora), true);
  assert.equal(await isHidden(emil), false);
});
