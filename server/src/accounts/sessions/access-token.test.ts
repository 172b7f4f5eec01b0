// tier: default
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { AccessTokens } from './access-token.ts';

const SECRET = 'a secret of at least thirty-two bytes';
const MINUTES_15 = 15 * 60_000;
const NOW = 1_800_000_000_123;
const PERSON = { accountId: 7, username: 'ann', client: 'mobile', sessionId: 'S1' } as const;

function tokensAt(start = NOW, ttlMs = MINUTES_15) {
  const clock = { time: start, now: () => clock.time };
  return { clock, tokens: new AccessTokens(SECRET, ttlMs, clock) };
}

test('a token contains the account, the session and its lifetime in the documented claims', () => {
  const { tokens } = tokensAt();
  const [header, payload] = tokens.issue(PERSON).split('.').slice(0, 2).map(decode);
  assert.deepEqual(header, { alg: 'HS256', typ: 'JWT' });
  assert.deepEqual(payload, {
    sub: '7',
    username: 'ann',
    client: 'mobile',
    sid: 'S1',
    iat: 1_800_000_000,
    exp: 1_800_000_900,
  });
  assert.equal(tokens.lifetimeSeconds, 900);
});

test('a token is valid until it expires by our clock', () => {
  const { clock, tokens } = tokensAt();
  const token = tokens.issue(PERSON);
  assert.deepEqual(tokens.verify(token), { accountId: 7, sessionId: 'S1', expiresAt: 1_800_000_900_000 });
  clock.time = 1_800_000_900_000 - 1;
  assert.deepEqual(tokens.verify(token), { accountId: 7, sessionId: 'S1', expiresAt: 1_800_000_900_000 });
  clock.time += 1;
  assert.equal(tokens.verify(token), undefined);
});

test('a lifetime below one second is not rounded', () => {
  const { clock, tokens } = tokensAt(NOW, 500);
  const token = tokens.issue(PERSON);
  clock.time += 490;
  assert(tokens.verify(token));
  clock.time += 20;
  assert.equal(tokens.verify(token), undefined);
});

test('a token that we did not sign is rejected', () => {
  const { tokens } = tokensAt();
  const claims = { sub: '7', username: 'ann', client: 'mobile', sid: 'S1', iat: 1, exp: 9_999_999_999 };
  assert(tokens.verify(forge({ alg: 'HS256' }, claims)), 'the helper below makes valid tokens');
  const forged = {
    'another secret': forge({ alg: 'HS256' }, claims, 'another secret of at least thirty-two bytes'),
    'alg none': `${forge({ alg: 'none' }, claims).split('.').slice(0, 2).join('.')}.`,
    'alg none, signed': forge({ alg: 'none' }, claims),
    'alg HS512': forge({ alg: 'HS512' }, claims, SECRET, 'sha512'),
    'alg HS384': forge({ alg: 'HS384' }, claims, SECRET, 'sha384'),
    'alg in another case': forge({ alg: 'hs256' }, claims),
    'alg RS256': forge({ alg: 'RS256' }, claims),
    'no alg': forge({}, claims),
    'an unknown critical header': forge({ alg: 'HS256', crit: ['x'], x: 1 }, claims),
    'no signature': forge({ alg: 'HS256' }, claims).replace(/[^.]+$/, ''),
    'a short signature': forge({ alg: 'HS256' }, claims).slice(0, -4),
    'two parts': forge({ alg: 'HS256' }, claims).replace(/\.[^.]+$/, ''),
    'no token': 'x',
    'no exp': forge({ alg: 'HS256' }, { ...claims, exp: undefined }),
    'exp as text': forge({ alg: 'HS256' }, { ...claims, exp: '9999999999' }),
    'sub as a number': forge({ alg: 'HS256' }, { ...claims, sub: 7 }),
    'sub that is no id': forge({ alg: 'HS256' }, { ...claims, sub: '7 or 1=1' }),
    'no sid': forge({ alg: 'HS256' }, { ...claims, sid: undefined }),
    'sid as an object': forge({ alg: 'HS256' }, { ...claims, sid: {} }),
  };
  for (const [how, token] of Object.entries(forged)) assert.equal(tokens.verify(token), undefined, how);
});

test('a token with one changed character is rejected', () => {
  const { tokens } = tokensAt();
  const token = tokens.issue(PERSON);
  for (let index = 0; index < token.length; index += 1) {
    const other = token[index] === 'A' ? 'Q' : 'A';
    const changed = token.slice(0, index) + other + token.slice(index + 1);
    assert.equal(tokens.verify(changed), undefined, `at ${index}`);
  }
});

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}

function forge(header: object, claims: object, secret = SECRET, hash = 'sha256'): string {
  const text = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}
