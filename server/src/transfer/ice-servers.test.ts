import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIceServers } from './ice-servers.ts';

const none = { username: undefined, credential: undefined, secret: undefined };

test('servers are listed as configured', () => {
  const settings = [
    { ...none, urls: ['stun:a'] },
    { ...none, urls: ['turn:b'], username: 'me', credential: 'mine' },
  ];
  assert.deepEqual(listIceServers(settings, 0), [
    { urls: ['stun:a'] },
    { urls: ['turn:b'], username: 'me', credential: 'mine' },
  ]);
});

test('a shared secret yields a credential valid for a day, and is not listed itself', () => {
  const now = Date.parse('2030-01-01T00:00:00.900Z');
  // printf %s 1893542400:holdall | openssl dgst -sha1 -hmac north -binary | base64
  assert.deepEqual(listIceServers([{ ...none, urls: ['turn:c'], secret: 'north' }], now), [
    { urls: ['turn:c'], username: '1893542400:holdall', credential: '8fStCDq2aCng7GaJjpCKAlqI+Ns=' },
  ]);
});
