// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFreePorts } from '../../../../tools/processes/free-ports.ts';
import type { User } from '../../../src/accounts/contract.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { lettersTo, MAIL_ENVIRONMENT } from '../../support/mail/letters.ts';
import { Browser } from '../../support/sign-on/browser.ts';
import { startProvider } from '../../support/sign-on/test-provider.ts';

const provider = await startProvider();
const port = String(await findFreePorts(1));
const holdall = await startHoldall({
  env: provider.env({
    ...MAIL_ENVIRONMENT,
    HOLDALL_PORT: port,
    HOLDALL_PUBLIC_URL: `http://127.0.0.1:${port}`,
    HOLDALL_RATE_LIMITS: 'off',
    HOLDALL_OIDC_REGISTER: 'on',
  }),
});
provider.admitClients(holdall.url);

const LOGINS = [
  ['verified', { email: 'verified@example.org', email_verified: true }, true],
  ['unsaid', { email: 'unsaid@example.org' }, false],
  ['without', { email_verified: true }, false],
] as const;

for (const [login, claims, expected] of LOGINS) {
  test(`an address of single sign-on is verified only if the provider says so: ${login}`, async () => {
    provider.describe(login, claims);
    const person = await new Browser(holdall.url).logIn(login);
    const profile = await person.ask<User>('GET', '/api/user/profile');
    assert.equal(profile.emailVerified, expected);
    const letters = await lettersTo(holdall, `${login}@example.org`);
    const isMailed = profile.email !== null && !expected;
    assert.deepEqual(
      letters.map(({ letter, language }) => [letter.kind, language]),
      isMailed ? [['VERIFICATION', 'en']] : [],
    );
    const body = { email: `${login}@elsewhere.example` };
    const moved = await person.ask<User>('PUT', '/api/user/profile', { body });
    assert.equal(moved.emailVerified, false);
  });
}
