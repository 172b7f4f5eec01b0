// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startHoldall } from '../../support/app/holdall.ts';
import { claimsOf, createSigningKey, signToken } from '../../support/sign-on/jwt.ts';
import { PROVIDER_NAME, startProvider } from '../../support/sign-on/test-provider.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

/*
 * `accounts/single-sign-on/attacks.test.ts` tests the server's answer to each forgery. This file attacks a
 * real browser, which has its own cookies and redirects.
 */

const provider = await startProvider();
const env = provider.env({ HOLDALL_OIDC_REGISTER: 'on', HOLDALL_RATE_LIMITS: 'off' });
const holdall = await startHoldall({ env });
provider.admitClients(holdall.url);
const browser = await startBrowser();

const CALLBACK = '/api/auth/oidc/callback';
const FAILED = 'The login failed.';
const EXPIRED = 'The login timed out or began in another browser.';

let visit: Visit;
const begin = async () => {
  visit = await Visit.begin(browser, holdall, { origins: [provider.issuer] });
  return visit.page;
};
afterEach(() => {
  provider.changeTokens = undefined;
  visit.checkClean();
});

/** Logs in at the provider. @param from the page where the user begins */
async function logIn(page: Page, login: string, from = '/login'): Promise<void> {
  await page.goto(from);
  await page.getByRole('link', { name: `Log in with ${PROVIDER_NAME}` }).click();
  await page.waitForURL(`${provider.issuer}/login/**`);
  await page.getByLabel('Name').fill(login);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function isRefused(page: Page, words: string): Promise<void> {
  await page.getByRole('alert').getByText(words).waitFor();
  assert.equal(new URL(page.url()).pathname, '/login');
  assert.equal(await page.evaluate('localStorage.getItem("holdall.session")'), null);
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;

describe('a browser is not logged in', () => {
  const strange = createSigningKey('strange');
  for (const [what, change, key] of [
    ['the nonce of another login', (claims) => ({ ...claims, nonce: 'another' }), provider.key],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' }), provider.key],
    ['another audience', (claims) => ({ ...claims, aud: 'another' }), provider.key],
    ['an expired token', (claims) => ({ ...claims, exp: inSeconds(-120) }), provider.key],
    ['a token signed by someone else', (claims) => claims, strange],
  ] as readonly (readonly [
    string,
    (claims: Record<string, unknown>) => object,
    ReturnType<typeof createSigningKey>,
  ])[]) {
    test(`by ${what}`, async () => {
      const page = await begin();
      provider.changeTokens = (answer) => ({
        ...answer,
        id_token: signToken(change(claimsOf(answer.id_token)), key),
      });
      await logIn(page, 'mallory');
      await isRefused(page, FAILED);
    });
  }

  test('by a forged state, with or without a started login', async () => {
    const page = await begin();
    await page.goto(`${CALLBACK}?code=forged&state=forged`);
    await isRefused(page, EXPIRED);
    await page.goto('/login');
    await page.getByRole('link', { name: `Log in with ${PROVIDER_NAME}` }).click();
    await page.waitForURL(`${provider.issuer}/login/**`);
    await page.goto(`${holdall.url}${CALLBACK}?code=forged&state=forged`);
    await isRefused(page, FAILED);
  });

  test('by a code that was used before', async () => {
    const page = await begin();
    const callback = page.waitForRequest((request) => new URL(request.url()).pathname === CALLBACK);
    await logIn(page, 'careful');
    const url = (await callback).url();
    await page.waitForURL('**/drive**');
    await visit.openWithoutSession(url);
    await isRefused(page, EXPIRED);
  });
});

describe('a login never redirects to another site', () => {
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
    test(`such as ${next}`, async () => {
      const page = await begin();
      await logIn(page, 'redirected', `/login?${new URLSearchParams({ next })}`);
      await page.waitForURL(`${holdall.url}/drive**`);
    });
  }
});
