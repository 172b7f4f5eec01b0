// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listIceServers } from './ice-servers.ts';

const none = { username: undefined, credential: undefined, secret: undefined };

test('servers are listed as configured', () => {
  const settings = [
    { ...none, urls: ['stun:a'] },
    { ...none, urls: ['turn:b'], username: 'me', credential: 'mine' },
  ];
  assert.deepEqual(listIceServers(settings, undefined, 0), [
    { urls: ['stun:a'] },
    { urls: ['turn:b'], username: 'me', credential: 'mine' },
  ]);
});

test('a shared secret yields a credential of the session for an hour, and is not listed itself', () => {
  const settings = [{ ...none, urls: ['turn:c'], secret: 'north' }];
  const now = Date.parse('2030-01-01T00:00:00.900Z');
  // printf %s 1893459600:the-session | openssl dgst -sha1 -hmac north -binary | base64
  assert.deepEqual(listIceServers(settings, 'the-session', now), [
    { urls: ['turn:c'], username: '1893459600:the-session', credential: 'mnJl6tXoRXQkzG5J6TW4DoAzaFg=' },
  ]);
});

test('without a session, a server that needs a temporary credential is left out', () => {
  const settings = [
    { ...none, urls: ['turn:c'], secret: 'north' },
    { ...none, urls: ['stun:a'] },
  ];
  assert.deepEqual(listIceServers(settings, undefined, 0), [{ urls: ['stun:a'] }]);
});
