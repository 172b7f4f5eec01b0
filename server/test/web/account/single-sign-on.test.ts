// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { securityOf } from '../../support/app/second-factor.ts';
import { PROVIDER_NAME, startProvider } from '../../support/sign-on/test-provider.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const provider = await startProvider();
const env = provider.env({ HOLDALL_RATE_LIMITS: 'off' });
const closed = await startHoldall({ env });
const holdall = await startHoldall({ beside: closed, env: { ...env, HOLDALL_OIDC_REGISTER: 'on' } });
const strict = await startHoldall({ beside: closed, env: { ...env, HOLDALL_REQUIRE_SECOND_FACTOR: 'all' } });
provider.admitClients(closed.url, holdall.url, strict.url);
const browser = await startBrowser();
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

const WAY = `Log in with ${PROVIDER_NAME}`;

/** Fills in the page of the provider. */
async function logInThere(page: Page, login: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/login/**`);
  await page.getByLabel('Name').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('single sign-on', () => {
  test('logs in a new user by keyboard, and opens the requested page', async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto('/drive/Documents');
    const way = page.getByRole('link', { name: WAY });
    await way.waitFor();
    await visit.checkAccessible();
    await way.focus();
    await page.keyboard.press('Enter');
    await logInThere(page, 'newcomer');
    await page.waitForURL('**/drive/Documents');
    assert.equal(new URL(page.url()).hash, '');

    await page.goto('/profile/security');
    await page.getByText('Your account has no password').waitFor();
    await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
    await visit.checkAccessible();
    const host = new URL(provider.issuer).host;
    await page.getByRole('button', { name: `Unlink ${host}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('This is the only way to log in to your account.').waitFor();
  });

  test('is linked and unlinked in the profile', inFull, async () => {
    const ann = await (await holdall.register('ann')).logIn(PASSWORD, 'mobile');
    const visit = await begin(holdall, { colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(ann, '/profile/security');
    await page.getByRole('button', { name: `Link ${PROVIDER_NAME}` }).click();
    await logInThere(page, ann.username);
    await page.getByText('Linked the login.').waitFor();
    assert.equal(new URL(page.url()).hash, '');
    assert.equal((await securityOf(ann)).identities.length, 1);

    const next = await begin(closed, PHONE);
    await next.page.goto('/login');
    await next.page.getByRole('link', { name: WAY }).click();
    await logInThere(next.page, ann.username);
    await next.page.waitForURL('**/drive**');

    await page.getByRole('button', { name: /^Unlink / }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You can no longer log in to this account with it.').waitFor();
    await visit.checkAccessible();
    await dialog.getByRole('button', { name: 'Unlink' }).click();
    await page.getByText('Unlinked the login.').waitFor();
    assert.deepEqual((await securityOf(ann)).identities, []);
  });

  test('says why a login has failed, in Chinese as well', inFull, async () => {
    const visit = await begin(closed);
    const { page } = visit;
    await page.goto('/login');
    await page.getByRole('link', { name: WAY }).click();
    await logInThere(page, 'stranger');
    await page.getByRole('alert').getByText("You don't have an account here yet.").waitFor();
    await visit.checkAccessible();

    const chinese = await begin(holdall, { ...PHONE, locale: 'zh-CN', colorScheme: 'dark' });
    await chinese.page.goto('/login');
    await chinese.page.getByRole('link', { name: `使用 ${PROVIDER_NAME} 登录` }).click();
    await chinese.page.getByRole('button', { name: 'Cancel' }).click();
    await chinese.page.getByRole('alert').getByText('登录已取消或被拒绝。').waitFor();
    await chinese.checkAccessible();
  });

  test('shows in the profile that an identity belongs to another account', inFull, async () => {
    const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];
    for (const [person, sentence] of [
      [ann, 'Linked the login.'],
      [bob, 'This login already belongs to another account.'],
    ] as const) {
      const visit = await begin();
      await visit.logIn(person, '/profile/security');
      await visit.page.getByRole('button', { name: `Link ${PROVIDER_NAME}` }).click();
      await logInThere(visit.page, 'shared-login');
      await visit.page.getByText(sentence).waitFor();
    }
  });

  test('is a second factor where one is required', inFull, async () => {
    const ann = await holdall.register('ann');
    const visit = await begin(strict);
    const { page } = visit;
    await page.goto('/login');
    await page.getByLabel('Username').fill(ann.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Protect your account' }).waitFor();
    await page.getByRole('button', { name: `Link ${PROVIDER_NAME}` }).click();
    await logInThere(page, ann.username);
    await page.getByText('Linked the login.').waitFor();
    await page.waitForURL('**/profile/security');
    await page.goto('/drive');
    await page.getByText('Pictures').waitFor();
  });

  test('is mentioned on no page without a provider', inFull, async () => {
    const without = await startHoldall({ beside: closed, env: { HOLDALL_RATE_LIMITS: 'off' } });
    const ann = await holdall.register('ann');
    const visit = await begin(without);
    await visit.page.goto('/login');
    await visit.page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    assert.equal(await visit.page.getByText(PROVIDER_NAME).count(), 0);
    await visit.logIn(ann, '/profile/security');
    await visit.page.getByRole('heading', { name: 'Passkeys' }).waitFor();
    assert.equal(await visit.page.getByRole('heading', { name: 'Single sign-on' }).count(), 0);
  });
});
