// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startHoldall } from '../../support/app/holdall.ts';
import { type LoginState, PASSWORD, type Person } from '../../support/app/person.ts';
import { beginLogin, finishLogin, securityOf, setUpTotp } from '../../support/app/second-factor.ts';
import { addPasskey } from '../../support/app/software-authenticator.ts';
import { Browser } from '../../support/sign-on/browser.ts';
import { PROVIDER_NAME, startProvider } from '../../support/sign-on/test-provider.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const MINUTE = 60_000;

const provider = await startProvider();
const env = provider.env({ HOLDALL_OIDC_REGISTER: 'on' });
const holdall = await startHoldall({ env: { ...env, HOLDALL_RATE_LIMITS: 'off' } });
const strict = await startHoldall({
  beside: holdall,
  env: { ...env, HOLDALL_RATE_LIMITS: 'off', HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
});
const limited = await startHoldall({ beside: holdall, env });
provider.admitClients(holdall.url, strict.url);
const browser = await startBrowser();
const { clock } = holdall;
let visits: Visit[] = [];
const begin = async (service = holdall, options: Parameters<typeof Visit.begin>[2] = {}) => {
  const visit = await Visit.begin(browser, service, { ...options, origins: [provider.issuer] });
  visits.push(visit);
  return visit;
};
afterEach(() => {
  for (const visit of visits) visit.checkClean();
  visits = [];
});

/** The person with a refreshed session whose login is older than 15 minutes. */
async function withOldLogin(person: Person): Promise<Person> {
  clock.advance(16 * MINUTE);
  const body = { refreshToken: person.login?.refreshToken };
  return person.with(await person.with(undefined).ask<LoginState>('POST', '/api/auth/refresh', { body }));
}

const registerLongAgo = async (name: string) =>
  withOldLogin(await (await holdall.register(name)).logIn(PASSWORD, 'mobile'));

async function confirm(page: Page, visit: Visit): Promise<void> {
  const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
  await dialog.getByLabel('Your password').fill('not the password');
  await page.keyboard.press('Enter');
  await dialog.getByText('Wrong password.').waitFor();
  await visit.checkAccessible();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}

describe('a user with an old login', () => {
  test('is asked for the password before setting up an app or linking an identity', async () => {
    const ann = await registerLongAgo('ann');
    const visit = await begin(holdall, { ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(ann, '/profile/security');
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    const dialog = page.getByRole('dialog', { name: "Confirm it's you" });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('alert').count(), 0);
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    await confirm(page, visit);
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: `Link ${PROVIDER_NAME}` }).click();
    await confirm(page, visit);
    await page.waitForURL(`${provider.issuer}/login/**`);
  });

  test('is asked for the password before adding a passkey', async () => {
    const ann = await registerLongAgo('ann');
    const service = { ...holdall, url: holdall.url.replace('127.0.0.1', 'localhost') };
    const visit = await begin(service, { colorScheme: 'dark' });
    const session = await visit.openTools();
    await session.send('WebAuthn.enable');
    await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    });
    const { page } = visit;
    await visit.logIn(ann, '/profile/security');
    await page.getByLabel('Passkey name').fill('this laptop');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await confirm(page, visit);
    await page.getByText('this laptop', { exact: true }).waitFor();
    assert.equal((await securityOf(ann)).passkeys, 1);
  });

  test('is asked for the password before removing a passkey or an identity', async () => {
    const young = await holdall.register('ann');
    await addPasskey(young, 'blue key');
    await new Browser(holdall.url).link(young, young.username);
    const ann = await withOldLogin(await young.with(undefined).logIn(PASSWORD, 'mobile'));
    const visit = await begin(holdall, PHONE);
    const { page } = visit;
    await visit.logIn(ann, '/profile/security');
    const remove = async (name: RegExp, action: string) => {
      await page.getByRole('button', { name }).click();
      await page.getByRole('dialog', { name }).getByRole('button', { name: action }).click();
      await confirm(page, visit);
    };
    await remove(/^Delete blue key$/, 'Delete');
    await page.getByText('Deleted the passkey.').waitFor();
    await remove(/^Unlink /, 'Unlink');
    await page.getByText('Unlinked the login.').waitFor();
    const { passkeys, identities } = await securityOf(ann);
    assert.deepEqual([passkeys, identities], [0, []]);
  });

  test('has to log in again if the account has no password, and can then set one', async () => {
    const zoe = await new Browser(holdall.url).logIn('zoe');
    const old = await withOldLogin(zoe);
    const visit = await begin(holdall, PHONE);
    const { page } = visit;
    await visit.logIn(old, '/profile/security');
    await page.getByText('Your account has no password').waitFor();
    await page.getByRole('button', { name: 'Set up authenticator app' }).click();
    const words = 'Log out and in again, then do this within 15 minutes.';
    await page.getByRole('alert').getByText(words).waitFor();
    const fill = async () => {
      await page.getByLabel('New password', { exact: true }).fill('a new one for zoe');
      await page.getByLabel('Confirm new password').fill('a new one for zoe');
      await page.getByRole('button', { name: 'Set password' }).click();
    };
    await fill();
    await page.locator('form').getByRole('alert').getByText(words).waitFor();
    assert.equal(await page.getByLabel('Current password').count(), 0);
    await visit.checkAccessible();

    const again = await begin();
    await again.logIn(await new Browser(holdall.url).logIn('zoe'), '/profile/security');
    const form = again.page;
    await form.getByLabel('New password', { exact: true }).fill('a new one for zoe');
    await form.getByLabel('Confirm new password').fill('a new one for zoe');
    await form.getByRole('button', { name: 'Set password' }).click();
    await form.getByText("Set your password. You're logged out everywhere else.").waitFor();
    await form.getByLabel('Current password').waitFor();
    const body = { username: 'zoe', password: 'a new one for zoe' };
    await holdall.anonymous.ask('POST', '/api/auth/login', { body });
  });
});

describe('after a password change', () => {
  test('the profile lists the change, and the passkeys and identities that can still log in', async () => {
    const ann = await (await holdall.register('ann')).logIn();
    await addPasskey(ann, 'somebody’s phone');
    await new Browser(holdall.url).link(ann, ann.username);
    const visit = await begin(holdall, { ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(ann, '/profile/security');
    await page.getByText('Passkey added').waitFor();
    assert.equal(await page.getByText('These can still log in').count(), 0);
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password', { exact: true }).fill(`${PASSWORD}!`);
    await page.getByLabel('Confirm new password').fill(`${PASSWORD}!`);
    await page.getByRole('button', { name: 'Change password' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'These can still log in to your account.' });
    await notice.getByText('Passkey “somebody’s phone”').waitFor();
    await notice.getByText(`Single sign-on with ${new URL(provider.issuer).host}`).waitFor();
    await page.getByText('Password changed', { exact: true }).waitFor();
    await page.getByText('Single sign-on linked').waitFor();
    await visit.checkAccessible();
  });
});

describe('a required second factor', () => {
  test('takes an open client to the setup page as soon as the service rejects a call', async () => {
    const ann = await holdall.register('ann');
    const visit = await begin(strict, PHONE);
    const { page } = visit;
    // The session in the browser does not say yet that the account needs a second factor.
    await visit.logIn(ann, '/drive/Pictures');
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('next'), '/drive/Pictures');
    await visit.checkAccessible();
  });

  test('shows on the setup page why an identity was not linked', async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    await new Browser(holdall.url).link(ann, 'a-shared-login');
    const visit = await begin(strict, { ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(bob, '/drive');
    await page.getByRole('button', { name: `Link ${PROVIDER_NAME}` }).click();
    await page.waitForURL(`${provider.issuer}/login/**`);
    await page.getByLabel('Name').fill('a-shared-login');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('This login already belongs to another account.').waitFor();
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await visit.checkAccessible();
  });
});

describe('the second step of a login', () => {
  async function enterPassword(page: Page, person: Person): Promise<void> {
    await page.getByLabel('Username').fill(person.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByLabel('Code from your authenticator app').waitFor();
  }

  test('returns to the password if the login was finished elsewhere or is no longer valid', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const visit = await begin();
    const { page } = visit;
    await page.goto('/login');
    await enterPassword(page, ann);
    await (await holdall.admin()).ask('DELETE', `/api/admin/users/${ann.id}/second-factors`);
    await page.getByLabel('Code from your authenticator app').fill(app.nextCode());
    await page.keyboard.press('Enter');
    await page.getByText('That took too long. Log in again.').waitFor();
    await page.getByLabel('Username').waitFor();
  });

  test('says when the next code can be tried after too many wrong ones', async () => {
    const ann = await holdall.register('ann');
    const app = await setUpTotp(ann, clock);
    const visit = await begin(limited, { ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await page.goto('/login');
    await enterPassword(page, ann);
    const field = page.getByLabel('Code from your authenticator app');
    await field.fill(app.wrongCode());
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Wrong code, or already used.').waitFor();
    const there = Object.assign(limited.anonymous.with(undefined), { username: ann.username });
    const ticket = await beginLogin(there);
    for (let count = 1; count < 10; count += 1) await finishLogin(there, ticket, app.wrongCode());
    await field.fill(app.code());
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/^Too many attempts\. Try again in/)
      .waitFor();
    await page.getByRole('button', { name: /^Log in \(wait \d+ s\)$/ }).waitFor();
    await visit.checkAccessible();
  });
});
