// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { Authenticator, codeAt, securityOf, setUpTotp } from '../../support/app/second-factor.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall({ env: { HOLDALL_RATE_LIMITS: 'off' } });
const strict = await startHoldall({
  beside: holdall,
  env: { HOLDALL_RATE_LIMITS: 'off', HOLDALL_REQUIRE_SECOND_FACTOR: 'all' },
});
const browser = await startBrowser();
const { clock } = holdall;
let visits: Visit[] = [];
const begin = async (service = holdall, options: Parameters<typeof Visit.begin>[2] = {}) => {
  const visit = await Visit.begin(browser, service, options);
  visits.push(visit);
  return visit;
};
afterEach(() => {
  for (const visit of visits) visit.checkClean();
  visits = [];
});

/** A user with a session for the test's own calls, which the login in the page does not end. */
const register = async (name: string) => (await holdall.register(name)).logIn(PASSWORD, 'mobile');

async function enterPassword(page: Page, person: Person): Promise<void> {
  await page.getByLabel('Username').fill(person.username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Goes through the dialog or page that sets up an app. Returns the app with its recovery codes. */
async function setUpApp(visit: Visit): Promise<Authenticator> {
  const { page } = visit;
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
  const secret = (await page.locator('pre').first().innerText()).replaceAll(/\s/g, '');
  const field = page.getByLabel('Code from the app');
  assert.deepEqual(
    [await field.getAttribute('autocomplete'), await field.getAttribute('inputmode')],
    ['one-time-code', 'numeric'],
  );
  await field.fill(new Authenticator(secret, [], clock).wrongCode());
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('Wrong code.').waitFor();
  await visit.checkAccessible();
  await field.fill(codeAt(secret, clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  const list = page.getByRole('group', { name: 'Recovery codes' });
  const codes = (await list.innerText()).trim().split(/\s+/);
  assert.equal(codes.length, 10);
  await visit.checkAccessible();
  await page.getByRole('button', { name: "I've saved them" }).click();
  return new Authenticator(secret, codes, clock);
}

describe('an authenticator app', () => {
  test('is set up in the profile, and the next login asks for a code', async () => {
    const alice = await register('alice');
    const visit = await begin();
    await visit.logIn(alice, '/profile/security');
    const { page } = visit;
    await page.getByText('You log in with your password only.').waitFor();
    const app = await setUpApp(visit);
    await page.getByText('10 recovery codes left.').waitFor();
    await visit.checkAccessible();
    assert.equal((await securityOf(alice)).totp, true);

    const next = await begin(holdall, { ...PHONE, colorScheme: 'dark' });
    await next.page.goto('/drive/Documents');
    await enterPassword(next.page, alice);
    await next.page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
    const field = next.page.getByLabel('Code from your authenticator app');
    assert.equal(await field.getAttribute('autocomplete'), 'one-time-code');
    assert.equal(await field.evaluate((input) => input.matches(':focus')), true);
    await next.page.keyboard.press('Enter');
    await next.page.getByText('Fill in this field.').waitFor();
    await field.fill(app.wrongCode());
    await next.page.keyboard.press('Enter');
    await next.page.getByRole('alert').getByText('Wrong code, or already used.').waitFor();
    await next.checkAccessible();
    await field.fill(app.nextCode());
    await next.page.keyboard.press('Enter');
    await next.page.waitForURL('**/drive/Documents');
  });

  test('can be replaced by a recovery code, in Chinese as well', inFull, async () => {
    const wei = await register('wei');
    const app = await setUpTotp(wei, clock);
    const visit = await begin(holdall, { locale: 'zh-CN' });
    const { page } = visit;
    await page.goto('/login');
    await page.getByLabel('用户名').fill(wei.username);
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '验证身份' }).waitFor();
    await page.getByRole('button', { name: '使用恢复码' }).click();
    await visit.checkAccessible();
    await page.getByLabel('恢复码').fill((app.recoveryCodes[0] ?? '').toLowerCase());
    await page.keyboard.press('Enter');
    await page.waitForURL('**/drive**');
    assert.equal((await securityOf(wei)).recoveryCodesLeft, 9);
  });

  test('gets new recovery codes and is removed with the password', inFull, async () => {
    const bob = await register('bob');
    const app = await setUpTotp(bob, clock);
    const visit = await begin(holdall, { ...PHONE });
    const { page } = visit;
    await visit.logIn(bob, '/profile/security');
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill('wrong, and long enough');
    await page.keyboard.press('Enter');
    await dialog.getByText('Wrong password.').waitFor();
    await visit.checkAccessible();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    const codes = await page.getByRole('group', { name: 'Recovery codes' }).innerText();
    assert(!codes.includes(app.recoveryCodes[0] ?? ''));
    await page.getByRole('button', { name: "I've saved them" }).click();
    await page.getByRole('button', { name: 'Remove app' }).click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Remove app' }).click();
    await page.getByText('You log in with your password only.').waitFor();
    assert.equal((await securityOf(bob)).totp, false);
  });

  test('takes the user back to the password when the ticket has expired', inFull, async () => {
    const tom = await register('tom');
    const app = await setUpTotp(tom, clock);
    const visit = await begin();
    const { page } = visit;
    await visit.context.clock.install();
    await page.goto('/login');
    await enterPassword(page, tom);
    const field = page.getByLabel('Code from your authenticator app');
    await field.waitFor();
    clock.advance(301_000);
    await visit.context.clock.fastForward(301_000);
    await field.fill(app.nextCode());
    await page.keyboard.press('Enter');
    await page.getByText('That took too long. Log in again.').waitFor();
    await enterPassword(page, tom);
    await field.fill(app.nextCode());
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.getByLabel('Username').waitFor();
  });

  test('must be set up first where a second factor is required', async () => {
    const ann = await register('ann');
    const visit = await begin(strict);
    const { page } = visit;
    await page.goto('/drive/Pictures');
    await enterPassword(page, ann);
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    await visit.checkAccessible();
    await page.goto('/profile/security');
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    await page.goto('/drive/Pictures');
    await setUpApp(visit);
    await page.waitForURL('**/drive/Pictures');
    await page.getByRole('button', { name: 'Upload' }).first().waitFor();
  });
});

describe('passkeys', () => {
  // Browsers support no passkeys at an IP address.
  const local = { ...holdall, url: holdall.url.replace('127.0.0.1', 'localhost') };

  /**
   * Adds an authenticator device that answers every prompt of the browser.
   * @param options.isSuggesting whether the browser suggests passkeys, which the device accepts without a
   *   click
   */
  async function plugIn(
    visit: Visit,
    {
      isSuggesting = false,
      ...options
    }: { hasResidentKey?: boolean; isUserVerified?: boolean; isSuggesting?: boolean } = {},
  ) {
    if (!isSuggesting) {
      await visit.addScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false;');
    }
    const session = await visit.openTools();
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
        ...options,
      },
    });
    return { session, authenticatorId };
  }

  async function addPasskey(visit: Visit, name: string): Promise<void> {
    const { page } = visit;
    await page.getByLabel('Passkey name').fill(name);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText(name, { exact: true }).waitFor();
  }

  test('are added in the profile, log in, and are deleted', async () => {
    const erin = await register('erin');
    const visit = await begin(local);
    await plugIn(visit);
    const { page } = visit;
    await visit.logIn(erin, '/profile/security');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('Fill in this field.').waitFor();
    await addPasskey(visit, 'this laptop');
    await visit.checkAccessible();
    assert.equal((await securityOf(erin)).passkeys, 1);
    await page.getByLabel('Passkey name').fill('again');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('This device already has a passkey for your account.').waitFor();

    await visit.openWithoutSession('/login');
    await page.getByRole('button', { name: 'Log in with passkey' }).waitFor();
    const field = page.getByLabel('Username');
    assert.equal(await field.getAttribute('autocomplete'), 'username webauthn');
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Log in with passkey' }).click();
    await page.waitForURL('**/drive**');
    await page.goto('/profile/security');
    await page.getByText(/^Last used/).waitFor();
    await page.getByRole('button', { name: 'Delete this laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Deleted the passkey.').waitFor();
    await visit.openWithoutSession('/login');
    await page.getByRole('button', { name: 'Log in with passkey' }).click();
    await page.getByText("This passkey isn't registered here.").waitFor();
    await visit.checkAccessible();
  });

  test('log in from the username field, where the browser suggests them', inFull, async () => {
    const fred = await register('fred');
    const visit = await begin(local);
    await plugIn(visit, { isSuggesting: true });
    const { page } = visit;
    await visit.logIn(fred, '/profile/security');
    await addPasskey(visit, 'this phone');
    await visit.openWithoutSession('/recent');
    // The browser is sent to the login, logs in with the suggested passkey, and returns to the page.
    await page.getByRole('heading', { name: 'Recent' }).waitFor();
    await page.goto('/profile/security');
    await page.getByText(/^Last used/).waitFor();
  });

  test('are rejected if their counter went back, as with a copied passkey', inFull, async () => {
    const carl = await register('carl');
    const visit = await begin(local);
    const device = await plugIn(visit);
    const { page } = visit;
    await visit.logIn(carl, '/profile/security');
    await addPasskey(visit, 'the original');
    await visit.openWithoutSession('/login');
    await page.getByRole('button', { name: 'Log in with passkey' }).click();
    await page.waitForURL('**/drive**');
    await setCounterBack(device);
    await visit.openWithoutSession('/login');
    await page.getByRole('button', { name: 'Log in with passkey' }).click();
    await page.getByText("This passkey isn't registered here.").waitFor();
  });

  test('cannot be added on a device that cannot verify its user', inFull, async () => {
    const dora = await register('dora');
    const visit = await begin(local);
    await plugIn(visit, { isUserVerified: false });
    const { page } = visit;
    await visit.logIn(dora, '/profile/security');
    await page.getByLabel('Passkey name').fill('a bare key');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was used.').waitFor();
    assert.equal((await securityOf(dora)).passkeys, 0);
  });

  test('cannot be added on a device that stores none', inFull, async () => {
    const otto = await register('otto');
    const visit = await begin(local);
    await plugIn(visit, { hasResidentKey: false });
    const { page } = visit;
    await visit.logIn(otto, '/profile/security');
    await page.getByLabel('Passkey name').fill('an old key');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('alert').waitFor();
    assert.equal((await securityOf(otto)).passkeys, 0);
  });

  test('are not offered at an IP address', inFull, async () => {
    const ida = await register('ida');
    const visit = await begin();
    await visit.page.goto('/login');
    await visit.page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    assert.equal(await visit.page.getByRole('button', { name: 'Log in with passkey' }).count(), 0);
    await visit.logIn(ida, '/profile/security');
    await visit.page.getByText("Passkeys don't work at this address.").waitFor();
  });

  async function setCounterBack({
    session,
    authenticatorId,
  }: {
    session: CDPSession;
    authenticatorId: string;
  }): Promise<void> {
    const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
    const [credential] = credentials;
    assert(credential !== undefined && credential.signCount > 0);
    await session.send('WebAuthn.clearCredentials', { authenticatorId });
    await session.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount: 0 },
    });
  }
});
