import assert from 'node:assert/strict';
import type { CreationOptions, PasskeyRecord } from '../../../../src/accounts/passkeys/contract.ts';
import type { TotpEnrolment } from '../../../../src/accounts/second-factor/contract.ts';
import { PASSWORD } from '../../app/person.ts';
import { beginLogin, codeAt, securityOf, setUpTotp, TOTP_PATH } from '../../app/second-factor.ts';
import {
  addPasskey,
  askForPasskey,
  PASSKEY_LOGIN,
  PASSKEYS,
  SoftwareAuthenticator,
} from '../../app/software-authenticator.ts';
import { Browser, TICKET } from '../../sign-on/browser.ts';
import { type FaultCase, sending } from '../fault-case.ts';

const IDENTITIES = '/api/user/identities';

/** Second factors, passkeys and single sign-on. */
export const SIGN_IN_CASES: readonly FaultCase[] = [
  {
    route: 'POST /api/auth/second-factor',
    // The ticket and the code are used up.
    repeated: [401],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const { recoveryCodes } = await setUpTotp(person, holdall.clock);
      const body = { ticket: await beginLogin(person), code: recoveryCodes[0] };
      return sending(holdall.anonymous, 'POST', '/api/auth/second-factor', body);
    },
  },
  {
    route: `POST ${TOTP_PATH}`,
    // Each request makes a new secret.
    repeated: [200],
    prepare: async ({ holdall }, name) => sending(await holdall.register(name), 'POST', TOTP_PATH),
  },
  {
    route: `POST ${TOTP_PATH}/confirm`,
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const { secret } = await person.ask<TotpEnrolment>('POST', TOTP_PATH);
      const body = { code: codeAt(secret, holdall.clock.now()) };
      return {
        send: sending(person, 'POST', `${TOTP_PATH}/confirm`, body),
        check: async () => {
          const { totp, recoveryCodesLeft } = await securityOf(person);
          assert.deepEqual([totp, recoveryCodesLeft], [true, 10]);
        },
      };
    },
  },
  {
    route: `POST ${TOTP_PATH}/recovery-codes`,
    // Each request makes new ones.
    repeated: [200],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      await setUpTotp(person, holdall.clock);
      return {
        send: sending(person, 'POST', `${TOTP_PATH}/recovery-codes`, { password: PASSWORD }),
        check: async () => assert.equal((await securityOf(person)).recoveryCodesLeft, 10),
      };
    },
  },
  {
    route: `DELETE ${TOTP_PATH}`,
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      await setUpTotp(person, holdall.clock);
      return {
        send: sending(person, 'DELETE', TOTP_PATH, { password: PASSWORD }),
        check: async () => assert.equal((await securityOf(person)).totp, false),
      };
    },
  },
  {
    route: `POST ${PASSKEYS}/options`,
    // Each answer is a challenge of its own.
    repeated: [200],
    prepare: async ({ holdall }, name) =>
      sending(await holdall.register(name), 'POST', `${PASSKEYS}/options`),
  },
  {
    route: `POST ${PASSKEYS}`,
    // The challenge is used up.
    repeated: [400],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const options = await person.ask<CreationOptions>('POST', `${PASSKEYS}/options`);
      const credential = new SoftwareAuthenticator(holdall.url).create(options);
      return {
        send: sending(person, 'POST', PASSKEYS, { name, credential }),
        check: async () => {
          const [passkey, ...others] = await person.ask<PasskeyRecord[]>('GET', PASSKEYS);
          assert.deepEqual([passkey?.name, others.length], [name, 0]);
        },
      };
    },
  },
  {
    route: `DELETE ${PASSKEYS}/:id`,
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const { record } = await addPasskey(person);
      return {
        send: sending(person, 'DELETE', `${PASSKEYS}/${record.id}`),
        check: async () => assert.equal((await securityOf(person)).passkeys, 0),
      };
    },
  },
  {
    route: `POST ${PASSKEY_LOGIN}/options`,
    // Each answer is a challenge of its own.
    repeated: [200],
    prepare: async ({ holdall }) => sending(holdall.anonymous, 'POST', `${PASSKEY_LOGIN}/options`),
  },
  {
    route: `POST ${PASSKEY_LOGIN}`,
    // The challenge is used up.
    repeated: [401],
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      const { authenticator } = await addPasskey(person);
      const credential = authenticator.use(await askForPasskey(person));
      return sending(holdall.anonymous, 'POST', PASSKEY_LOGIN, { credential });
    },
  },
  {
    route: `POST ${TICKET}`,
    // The ticket is used up.
    repeated: [401],
    prepare: async ({ holdall }, name) => {
      const browser = new Browser(holdall.url);
      const { fragment } = await browser.getTicketOrError(name);
      const headers = browser.cookieHeader();
      return sending(holdall.anonymous, 'POST', TICKET, { ticket: fragment.ticket }, { headers });
    },
  },
  {
    route: `POST ${IDENTITIES}/oidc`,
    // Each answer begins a login of its own.
    repeated: [200],
    prepare: async ({ holdall }, name) => sending(await holdall.register(name), 'POST', `${IDENTITIES}/oidc`),
  },
  {
    route: `DELETE ${IDENTITIES}/:id`,
    prepare: async ({ holdall }, name) => {
      const person = await holdall.register(name);
      await new Browser(holdall.url).link(person, name);
      const [identity] = (await securityOf(person)).identities;
      return {
        send: sending(person, 'DELETE', `${IDENTITIES}/${identity?.id}`),
        check: async () => assert.deepEqual((await securityOf(person)).identities, []),
      };
    },
  },
];
