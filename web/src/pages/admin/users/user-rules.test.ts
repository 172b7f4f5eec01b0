// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayGrant, rightsOver } from './user-rules.ts';

const admin = { id: 1, role: 'ADMIN', deleting: false } as const;
const otherAdmin = { id: 2, role: 'ADMIN', deleting: false } as const;
const moderator = { id: 3, role: 'MODERATOR', deleting: false } as const;
const user = { id: 4, role: 'USER', deleting: false } as const;
const ALL = { limits: true, role: true, status: true, password: true, deletion: true };

test('an admin may do everything to others, including admins', () => {
  for (const target of [otherAdmin, moderator, user]) assert.deepEqual(rightsOver(admin, target), ALL);
  assert.ok(mayGrant(admin, 'ADMIN'));
});

test('no one can change their own role, or block or delete themselves', () => {
  const own = { limits: true, role: false, status: false, password: false, deletion: false };
  assert.deepEqual(rightsOver(admin, admin), own);
  assert.deepEqual(rightsOver(moderator, moderator), own);
});

test('a moderator can neither change an admin nor grant the admin role', () => {
  assert.ok(!Object.values(rightsOver(moderator, admin)).includes(true));
  assert.deepEqual(rightsOver(moderator, user), ALL);
  assert.deepEqual([mayGrant(moderator, 'ADMIN'), mayGrant(moderator, 'MODERATOR')], [false, true]);
});

test('an account that is being deleted cannot be changed', () => {
  const rights = rightsOver(admin, { ...user, deleting: true });
  assert.ok(!Object.values(rights).includes(true));
});
