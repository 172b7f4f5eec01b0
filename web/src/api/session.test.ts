// tier: default
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { LoginState } from '../../../client/src/client.ts';
import { inFull } from '../../../tools/testing/tiers.ts';

// Stands in for the browser's storage.
const stored = new Map<string, string>();
let answerRefresh = (): Response => assert.fail('no token was to be renewed');
Object.assign(globalThis, {
  window: { addEventListener: () => {} },
  location: new URL('https://drive.example.org/'),
  localStorage: {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  },
  fetch: async () => answerRefresh(),
});
const session = await import('./session.ts');

const KEY = 'holdall.session';

function stateOf(name: string, expiresIn = 900): LoginState {
  const state = {
    accessToken: `access ${name}`,
    refreshToken: `refresh ${name}`,
    expiresIn,
    user: { id: 1 },
  };
  // The code under test reads no other members.
  return state as unknown as LoginState;
}

function logIn(name: string, expiresIn?: number): void {
  session.startSession(stateOf(name, expiresIn));
}

beforeEach(() => session.endSession());

test('a rejected token ends its session', () => {
  logIn('one');
  session.endRefusedSession('access one', () => null);
  assert.equal(session.hasSession(), false);
  assert.equal(session.lastSessionEnd(), 'refused');
});

test('a rejected token of an earlier session does not end the current session', () => {
  logIn('one');
  logIn('two');
  session.endRefusedSession('access one', () => null);
  session.endRefusedSession(undefined, () => null);
  assert.equal(session.currentSession()?.accessToken, 'access two');
});

test('a token rejected during a replacement ends the session only if the replacement fails', async () => {
  logIn('one');
  const answer = Promise.withResolvers<LoginState>();
  const replaced = session.replaceSession(() => answer.promise);
  session.endRefusedSession('access one', () => null);
  assert.equal(session.currentSession()?.accessToken, 'access one');
  answer.resolve(stateOf('two'));
  await replaced;
  await Promise.resolve();
  assert.equal(session.currentSession()?.accessToken, 'access two');
  const failing = session.replaceSession(() => Promise.reject(new Error('refused')));
  session.endRefusedSession('access two', () => null);
  await assert.rejects(failing);
  await Promise.resolve();
  assert.equal(session.hasSession(), false);
});

test('a rejected refresh token ends the session', async () => {
  logIn('one', 0);
  answerRefresh = () => new Response('{}', { status: 401 });
  assert.equal(await session.accessToken(), undefined);
  assert.equal(session.lastSessionEnd(), 'refused');
});

test('the end of a session has the reason that the service sent', async () => {
  logIn('one');
  session.endRefusedSession('access one', (name) => (name === 'x-service-session-end' ? 'banned' : null));
  assert.equal(session.lastSessionEnd(), 'banned');
  logIn('two', 0);
  assert.equal(session.lastSessionEnd(), undefined);
  const headers = { 'x-service-session-end': 'expired' };
  answerRefresh = () => new Response('{}', { status: 401, headers });
  assert.equal(await session.accessToken(), undefined);
  assert.equal(session.lastSessionEnd(), 'expired');
});

test('a refresh token that another tab has used meanwhile does not end the session', async () => {
  logIn('one', 0);
  answerRefresh = () => {
    const renewed = JSON.parse(stored.get(KEY) ?? '');
    stored.set(KEY, JSON.stringify({ ...renewed, accessToken: 'access two', refreshToken: 'refresh two' }));
    return new Response('{}', { status: 401 });
  };
  assert.equal(await session.accessToken(), 'access two');
  assert.equal(session.lastSessionEnd(), undefined);
});

test('a tab without locks waits until another tab has stored its tokens', inFull, async (t) => {
  logIn('one', 0);
  t.mock.getter(globalThis, 'navigator', () => ({}));
  answerRefresh = () => {
    const renewed = JSON.parse(stored.get(KEY) ?? '');
    setTimeout(() => {
      stored.set(KEY, JSON.stringify({ ...renewed, accessToken: 'access two', refreshToken: 'refresh two' }));
    }, 200);
    return new Response('{}', { status: 401 });
  };
  assert.equal(await session.accessToken(), 'access two');
});
