// tier: default
// runs on: sqlite, postgres
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Invitation } from '../../src/accounts/contract.ts';
import type { AdminInvite } from '../../src/admin/invites/contract.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { applicationOf } from '../support/app/person.ts';

const HOUR = 3_600_000;

const holdall = await startHoldall();
const admin = await holdall.admin();
await admin.ask('PUT', '/api/user/profile', { body: { displayName: 'Ann Meyer' } });

const create = (body: object) => admin.ask<AdminInvite>('POST', '/api/admin/invites', { body });
const open = (inviteCode: string) =>
  holdall.anonymous.call<Invitation>('POST', '/api/auth/invitation', { body: { inviteCode } });
const inOneHour = () => new Date(holdall.clock.now() + HOUR).toISOString();
/** Made before the clock advances, which ends the admin's login. */
const valid = await create({ uses: 1 });

test('an invitation says who invites, and spends nothing', async () => {
  const { code } = await create({ uses: 1, expiresAt: inOneHour() });
  for (const _ of [1, 2]) assert.deepEqual((await open(code)).data, { inviterName: 'Ann Meyer' });
  await holdall.anonymous.ask('POST', '/api/auth/register', { body: applicationOf('first', code) });
});

test('the invite code of the settings is valid without an inviter', async () => {
  assert.deepEqual((await open(` ${await holdall.inviteCode()} `)).data, { inviterName: null });
});

test('an unknown, a used and an expired invitation get the same answer', async () => {
  const used = await create({ uses: 1 });
  await holdall.anonymous.ask('POST', '/api/auth/register', { body: applicationOf('second', used.code) });
  const expired = await create({ uses: 1, expiresAt: inOneHour() });
  holdall.clock.advance(2 * HOUR);
  const answers = [await open('unknown-code'), await open(used.code), await open(expired.code)];
  for (const answer of answers) {
    assert.equal(answer.status, 400);
    assert.deepEqual([answer.code, answer.msg], [answers[0]?.code, answers[0]?.msg]);
  }
});

test('codes cannot be guessed: wrong ones are limited like passwords', async () => {
  const statuses = new Set<number>();
  for (let guess = 0; guess < 40; guess += 1) statuses.add((await open(`guess-${guess}`)).status);
  assert.deepEqual([...statuses], [400, 429]);
  assert.equal((await open(valid.code)).status, 429);
  holdall.clock.advance(HOUR);
  assert.equal((await open(valid.code)).status, 200);
});
