import assert from 'node:assert/strict';
import type { CreationOptions, PasskeyRecord } from '../../../../src/accounts/passkeys/contract.ts';
import { securityOf } from '../../app/second-factor.ts';
import {
  addPasskey,
  askForPasskey,
  PASSKEYS,
  SoftwareAuthenticator,
} from '../../app/software-authenticator.ts';
import { Browser } from '../../sign-on/browser.ts';
import type { NeedsByName } from '../example-case.ts';
import { authenticator } from '../fixtures/accounts.ts';

/** Second factors, passkeys and single sign-on. */
export const SIGN_IN_NEEDS: NeedsByName = {
  // The ticket and the code are used up.
  'POST /api/auth/second-factor': { repeated: [401] },
  'POST /api/user/totp/confirm': {
    check: async ({ owner }) => {
      const { totp, recoveryCodesLeft } = await securityOf(owner);
      assert.deepEqual([totp, recoveryCodesLeft], [true, 10]);
    },
  },
  'POST /api/user/totp/recovery-codes': {
    before: authenticator,
    check: async ({ owner }) => assert.equal((await securityOf(owner)).recoveryCodesLeft, 10),
  },
  'DELETE /api/user/totp': {
    before: authenticator,
    check: async ({ owner }) => assert.equal((await securityOf(owner)).totp, false),
  },
  'POST /api/user/passkeys': {
    // The challenge is used up.
    repeated: [400],
    request: async ({ owner, name }) => {
      const options = await owner.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
      return { body: { name, credential: new SoftwareAuthenticator(owner.url).create(options) } };
    },
    check: async ({ owner, name }) => {
      const [passkey, ...others] = await owner.ask<PasskeyRecord[]>('GET', PASSKEYS);
      assert.deepEqual([passkey?.name, others.length], [name, 0]);
    },
  },
  'DELETE /api/user/passkeys/{id}': {
    check: async ({ owner }) => assert.equal((await securityOf(owner)).passkeys, 0),
  },
  'POST /api/auth/passkey': {
    // The challenge is used up.
    repeated: [401],
    request: async ({ owner }) => {
      const added = await addPasskey(owner);
      return { body: { credential: added.authenticator.use(await askForPasskey(owner)) } };
    },
  },
  'POST /api/auth/oidc/ticket': {
    // The ticket is used up.
    repeated: [401],
    request: async ({ owner, name }) => {
      const browser = new Browser(owner.url);
      const { fragment } = await browser.getTicketOrError(name);
      return { body: { ticket: fragment.ticket }, headers: browser.cookieHeader() };
    },
  },
  'DELETE /api/user/identities/{id}': {
    check: async ({ owner }) => assert.deepEqual((await securityOf(owner)).identities, []),
  },
};
