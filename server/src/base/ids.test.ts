// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemIds } from './ids.ts';

test('a token has the requested number of bits, in characters that are safe in URLs', () => {
  for (const bits of [64, 128, 256]) {
    const token = systemIds.token(bits);
    assert.match(token, /^[A-Za-z0-9_-]+$/);
    assert.equal(Buffer.from(token, 'base64url').length * 8, bits);
  }
});

test('tokens and UUIDs do not repeat', () => {
  const made = Array.from({ length: 1_000 }, () => [systemIds.token(128), systemIds.uuid()]).flat();
  assert.equal(new Set(made).size, made.length);
});

test('a UUID is random (RFC 9562, version 4)', () => {
  assert.match(systemIds.uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
