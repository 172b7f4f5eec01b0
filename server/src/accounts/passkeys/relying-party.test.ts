// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRelyingParty } from './relying-party.ts';

test('the relying party is the host of the address, and only its origin is allowed', () => {
  assert.deepEqual(findRelyingParty('https://drive.example.org'), {
    id: 'drive.example.org',
    origin: 'https://drive.example.org',
  });
  assert.deepEqual(findRelyingParty('https://Drive.Example.org:8443/'), {
    id: 'drive.example.org',
    origin: 'https://drive.example.org:8443',
  });
});

test('a relying party at a loopback address is called localhost', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
    const party = { id: 'localhost', origin: 'http://localhost:8080' };
    assert.deepEqual(findRelyingParty(`http://${host}:8080`), party, host);
  }
  assert.equal(findRelyingParty('http://drive.localhost')?.id, 'drive.localhost');
});

test('there is no relying party at an IP address, or without TLS', () => {
  for (const address of [
    ...['http://192.168.1.5:8080', 'https://192.168.1.5', 'https://[2001:db8::1]', 'http://0.0.0.0:8080'],
    ...['http://[::]:8080', 'http://drive.example.org', 'http://nas:8080'],
  ]) {
    assert.equal(findRelyingParty(address), undefined, address);
  }
});
