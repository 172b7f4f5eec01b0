import assert from 'node:assert/strict';
import { EXAMPLE } from '../../../../src/http/examples.ts';
import { type PushState, subscribeToPush } from '../../../../src/notifications/push/contract.ts';
import { listAppPasswords } from '../../app/app-passwords.ts';
import { PASSWORD, type Person } from '../../app/person.ts';
import { emailOf, lettersTo, tokenMailedTo } from '../../mail/letters.ts';
import type { NeedsByName } from '../example-case.ts';
import { AVATAR_PICTURE, otherLogin } from '../fixtures/accounts.ts';

/** Accounts and their login sessions. */
export const ACCOUNT_NEEDS: NeedsByName = {
  'POST /api/auth/register': {
    // The invite code admits only one account.
    repeated: [400],
    check: ({ scene: { holdall }, name: username }) =>
      holdall.anonymous.ask('POST', '/api/auth/login', { body: { username, password: PASSWORD } }),
  },
  // The token was spent, although its answer did not arrive. The user logs in again.
  'POST /api/auth/refresh': { repeated: [401] },
  'POST /api/auth/logout': { repeated: [401], check: ({ owner }) => assertEnded(owner) },
  'DELETE /api/user/sessions/{id}': {
    check: async (fixture) => assertEnded(await fixture.once(otherLogin)),
  },
  'DELETE /api/user/sessions': {
    before: (fixture) => fixture.once(otherLogin),
    check: async (fixture) => assertEnded(await fixture.once(otherLogin)),
  },
  'POST /api/user/app-passwords': {
    check: async ({ owner }) => assert.equal((await listAppPasswords(owner))[0]?.name, 'Backup'),
  },
  'DELETE /api/user/app-passwords/{id}': {
    check: async ({ owner }) => assert.deepEqual(await listAppPasswords(owner), []),
  },
  'PUT /api/user/profile': {
    check: async ({ owner }) => {
      const { displayName } = await owner.ask<{ displayName: string }>('GET', '/api/user/profile');
      assert.equal(displayName, 'Example User');
    },
  },
  'POST /api/user/password': {
    // The old password and the old session no longer count.
    repeated: [400, 401],
    check: ({ owner }) => owner.with(undefined).logIn(EXAMPLE.newPassword),
  },
  'POST /api/auth/password-reset': {
    check: async ({ owner, scene: { holdall } }) => {
      assert.ok(await tokenMailedTo(holdall, emailOf(owner), 'PASSWORD_RESET'));
    },
  },
  'POST /api/auth/password-reset/confirm': {
    // The token was spent, although the answer did not arrive.
    repeated: [400],
    check: ({ owner }) => owner.with(undefined).logIn(EXAMPLE.newPassword),
  },
  'POST /api/auth/email-verification': {
    check: async ({ owner, scene: { holdall } }) => {
      assert.equal((await lettersTo(holdall, emailOf(owner))).length >= 2, true);
    },
  },
  'POST /api/auth/email-verification/confirm': {
    repeated: [400],
    check: async ({ owner }) => {
      const { emailVerified } = await owner.ask<{ emailVerified: boolean }>('GET', '/api/user/profile');
      assert.equal(emailVerified, true);
    },
  },
  'PUT /api/user/push': {
    check: async ({ owner }) => assert.equal((await pushOf(owner)).current, true),
  },
  'DELETE /api/user/push': {
    before: ({ owner }) => owner.ask('PUT', '/api/user/push', { body: subscribeToPush.example.body }),
    check: async ({ owner }) => assert.equal((await pushOf(owner)).subscriptions, 0),
  },
  'POST /api/user/avatar/upload/complete': {
    // The uploaded bytes can be used only once.
    repeated: [400],
    check: async ({ owner }) => {
      const response = await owner.fetch('GET', '/api/user/avatar/content');
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(AVATAR_PICTURE));
    },
  },
};

function pushOf(person: Person): Promise<PushState> {
  return person.ask('GET', '/api/user/push');
}

async function assertEnded(person: Person): Promise<void> {
  assert.equal((await person.call('GET', '/api/user/profile')).status, 401);
}
