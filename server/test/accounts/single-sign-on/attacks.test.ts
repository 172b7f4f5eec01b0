// tier: default
// runs on: sqlite
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { startHoldall } from '../../support/app/holdall.ts';
import { Browser, CALLBACK, START } from '../../support/sign-on/browser.ts';
import {
  claimsOf,
  createSigningKey,
  signToken,
  signWithText,
  withoutSignature,
} from '../../support/sign-on/jwt.ts';
import { CLIENT_SECRET, startProvider } from '../../support/sign-on/test-provider.ts';

const MINUTE = 60_000;

const logged: string[] = [];
const logger = pino({ level: 'info' }, { write: (line) => logged.push(line) });
const provider = await startProvider();
const env = provider.env({ HOLDALL_OIDC_REGISTER: 'on', HOLDALL_RATE_LIMITS: 'off' });
const holdall = await startHoldall({ env, logger });
const limited = await startHoldall({
  beside: holdall,
  env: { ...env, HOLDALL_RATE_LIMITS: 'on', HOLDALL_TRUST_PROXY: '127.0.0.1' },
});
provider.admitClients(holdall.url, limited.url);

const newBrowser = () => new Browser(holdall.url);
const FAILED = { page: '/login', fragment: { error: 'failed' } };
const EXPIRED = { page: '/login', fragment: { error: 'expired' } };

beforeEach(() => {
  provider.changeTokens = undefined;
  provider.answer = undefined;
});

/** Makes the provider send tokens with changed claims, signed with its own key unless another is given. */
function forge(change: (claims: Record<string, unknown>) => object, sign = provider.key): void {
  provider.changeTokens = (answer) => ({
    ...answer,
    id_token: signToken(change(claimsOf(answer.id_token)), sign),
  });
}

const seconds = (fromNow: number) => Math.floor(Date.now() / 1_000) + fromNow;

describe('an ID token', () => {
  test('is accepted with the signature of the provider', async () => {
    forge((claims) => claims);
    assert.ok(await newBrowser().logIn('mallory'));
  });

  for (const [what, change] of [
    ['for another login (nonce)', (claims) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _, ...claims }) => claims],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['for another client (audience)', (claims) => ({ ...claims, aud: 'another' })],
    [
      'for several clients, but issued to another one',
      (claims) => ({ ...claims, aud: ['holdall', 'b'], azp: 'b' }),
    ],
    ['that has expired', (claims) => ({ ...claims, exp: seconds(-120) })],
    ['that is not valid yet', (claims) => ({ ...claims, nbf: seconds(600) })],
    ['without a subject', ({ sub: _, ...claims }) => claims],
  ] satisfies [string, (claims: Record<string, unknown>) => object][]) {
    test(`${what} is rejected`, async () => {
      forge(change);
      assert.deepEqual(await newBrowser().getTicketOrError('mallory'), FAILED);
    });
  }

  test('with the signature of another key is refused, whatever it is called', async () => {
    for (const id of [provider.key.id, 'unknown']) {
      forge((claims) => claims, createSigningKey(id));
      assert.deepEqual(await newBrowser().getTicketOrError('mallory'), FAILED, id);
    }
  });

  test('without a signature, or signed with the secret of the client, is refused', async () => {
    for (const change of [
      (token: string) => withoutSignature(claimsOf(token)),
      (token: string) => signWithText(claimsOf(token), CLIENT_SECRET),
      (token: string) => `${token.slice(0, -8)}AAAAAAAA`,
      () => 'no token',
    ]) {
      provider.changeTokens = (answer) => ({ ...answer, id_token: change(answer.id_token) });
      assert.deepEqual(await newBrowser().getTicketOrError('mallory'), FAILED, String(change));
    }
  });

  test('is required', async () => {
    provider.changeTokens = ({ id_token: _, ...answer }) => answer;
    assert.deepEqual(await newBrowser().getTicketOrError('mallory'), FAILED);
  });

  test('overrides the user info, which must be about the same person', async () => {
    provider.answer = (request, response) => {
      if (request.url !== '/me') return false;
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ sub: 'victim' }));
      return true;
    };
    assert.deepEqual(await newBrowser().getTicketOrError('not-yet-known'), FAILED);
  });
});

describe('the callback', () => {
  const change = (url: string, name: string, value: string | undefined) => {
    const changed = new URL(url);
    if (value === undefined) changed.searchParams.delete(name);
    else changed.searchParams.set(name, value);
    return changed.href;
  };

  test('refuses another state or none, and the login can still be finished', async () => {
    const browser = newBrowser();
    const url = await browser.logInAtProvider('ann');
    const other = new URL(await newBrowser().logInAtProvider('ann')).searchParams.get('state') ?? '';
    for (const state of ['x', undefined, other]) {
      assert.deepEqual(await browser.openCallback(change(url, 'state', state)), FAILED, state);
    }
    const { fragment } = await browser.openCallback(url);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 200);
  });

  test('rejects another issuer, and a code of another login', async () => {
    const browser = newBrowser();
    const url = await browser.logInAtProvider('ann');
    assert.deepEqual(await browser.openCallback(change(url, 'iss', 'https://evil.example')), FAILED);
    const mallorys = new URL(await newBrowser().logInAtProvider('mallory')).searchParams.get('code') ?? '';
    const again = newBrowser();
    assert.deepEqual(
      await again.openCallback(change(await again.logInAtProvider('ann'), 'code', mallorys)),
      FAILED,
    );
  });

  test('works once, and a replayed one does not reach the provider', async () => {
    const browser = newBrowser();
    const url = await browser.logInAtProvider('ann');
    const [flow] = [...browser.cookies];
    assert.ok(flow);
    assert.ok((await browser.openCallback(url)).fragment.ticket);
    const before = provider.requests.length;
    assert.deepEqual(await browser.openCallback(url), EXPIRED);
    browser.cookies.set(...flow);
    assert.deepEqual(await browser.openCallback(url), EXPIRED);
    assert.equal(provider.requests.length, before);
  });

  test('rejects a browser that did not start the login', async () => {
    const url = await newBrowser().logInAtProvider('mallory');
    assert.deepEqual(await newBrowser().openCallback(url), EXPIRED);
    const began = newBrowser();
    await began.logInAtProvider('ann');
    assert.deepEqual(await began.openCallback(url), FAILED);
  });

  test('rejects a login that took longer than ten minutes', async () => {
    const browser = newBrowser();
    const url = await browser.logInAtProvider('ann');
    holdall.clock.advance(11 * MINUTE);
    assert.deepEqual(await browser.openCallback(url), EXPIRED);
  });

  test('uses cookies that scripts and other sites cannot use', async () => {
    const response = await newBrowser().fetch('GET', holdall.url + START);
    const [cookie = ''] = response.headers.getSetCookie();
    assert.match(cookie, /^holdall_sign_on=[^;]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    const secure = await startHoldall({
      beside: holdall,
      env: { ...env, HOLDALL_PUBLIC_URL: 'https://drive.example.org' },
    });
    const [secureCookie = ''] = (await newBrowser().fetch('GET', secure.url + START)).headers.getSetCookie();
    assert.match(secureCookie, /^__Host-holdall_sign_on=[^;]+; .*Secure/);
  });

  test('writes neither codes nor tokens nor tickets to the log', async () => {
    const browser = newBrowser();
    const url = await browser.logInAtProvider('ann');
    const { fragment } = await browser.openCallback(url);
    forge((claims) => ({ ...claims, aud: 'another', secret: 'told in confidence' }));
    await newBrowser().getTicketOrError('mallory');
    const log = logged.join('\n');
    assert.match(log, /"reason":"failed: The login failed/);
    for (const secret of [new URL(url).searchParams.get('code'), fragment.ticket, 'told in confidence']) {
      assert.ok(secret);
      assert.ok(!log.includes(secret), secret);
    }
  });
});

describe('a ticket', () => {
  test('works once', async () => {
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError('ann');
    const [binding] = [...browser.cookies];
    assert.ok(binding);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 200);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 401);
    browser.cookies.set(...binding);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 401);
  });

  test('works only in the browser that received it', async () => {
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError('ann');
    const other = newBrowser();
    assert.equal((await other.sendTicket(fragment.ticket)).status, 401);
    await other.getTicketOrError('mallory');
    assert.equal((await other.sendTicket(fragment.ticket)).status, 401);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 200);
  });

  test('is valid for a minute', async () => {
    const browser = newBrowser();
    const { fragment } = await browser.getTicketOrError('ann');
    holdall.clock.advance(MINUTE);
    assert.equal((await browser.sendTicket(fragment.ticket)).status, 401);
  });

  test('is rejected if it is forged or belongs to another step', async () => {
    const browser = newBrowser();
    await browser.follow(holdall.url + START);
    const flow = browser.cookies.get('holdall_sign_on');
    for (const ticket of ['', 'a.b', flow])
      assert.equal((await browser.sendTicket(ticket)).status, 401, ticket);
  });
});

describe('the provider', () => {
  /** Starts a service that has not yet contacted the provider. */
  const startFresh = () =>
    startHoldall({ beside: holdall, env: { ...env, HOLDALL_PUBLIC_URL: holdall.url } });
  const startAt = async ({ url }: { url: string }) =>
    (await new Browser(url).fetch('GET', url + START)).headers.get('location');

  for (const [what, status, body] of [
    ['an error', 500, '{}'],
    ['another issuer', 200, JSON.stringify({ issuer: 'https://evil.example' })],
    ['an endless body', 200, ' '.repeat(2 * 1_024 * 1_024)],
    ['a redirect', 302, ''],
    ['something that is not JSON', 200, '<html>'],
  ] as const) {
    test(`that answers with ${what} causes an error message on the login page`, async () => {
      provider.answer = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' });
        response.end(body);
        return true;
      };
      assert.equal(await startAt(await startFresh()), '/login#error=unavailable');
    });
  }

  test('that closes connections is contacted again only after some seconds', async () => {
    holdall.clock.stop();
    const fresh = await startFresh();
    provider.answer = (request) => {
      request.socket.destroy();
      return true;
    };
    const before = provider.requests.length;
    for (let count = 0; count < 3; count += 1) assert.equal(await startAt(fresh), '/login#error=unavailable');
    assert.equal(provider.requests.length, before + 1);
    provider.answer = undefined;
    holdall.clock.advance(6_000);
    assert.match((await startAt(fresh)) ?? '', /\/auth\?/);
  });

  test('is asked for its description and its keys only once for many logins', async () => {
    await newBrowser().logIn('first');
    const before = provider.requests.length;
    for (let count = 0; count < 3; count += 1) await newBrowser().logIn('first');
    const asked = provider.requests.slice(before);
    assert.equal(asked.filter((line) => /well-known|jwks/.test(line)).length, 0, asked.join('\n'));
    assert.equal(asked.filter((line) => line === 'POST /token').length, 3);
  });
});

describe('the limit of attempts', () => {
  test('counts wrong tickets by address, but not callbacks without a valid flow', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const browser = new Browser(limited.url);
    const statuses: number[] = [];
    for (let count = 0; count < 30; count += 1) {
      statuses.push((await browser.sendTicket('wrong', headers)).status);
      const response = await browser.fetch('GET', `${limited.url}${CALLBACK}?code=x&state=y`, { headers });
      assert.equal(response.headers.get('location'), '/login#error=expired');
    }
    assert.deepEqual([...new Set(statuses)], [401]);
    assert.equal((await browser.sendTicket('wrong', headers)).status, 429);
    const response = await browser.fetch('GET', `${limited.url}${CALLBACK}?code=x&state=y`, { headers });
    assert.equal(response.headers.get('location'), '/login#error=expired');
    assert.equal((await browser.sendTicket('wrong', { 'x-forwarded-for': '203.0.113.10' })).status, 401);
  });
});
