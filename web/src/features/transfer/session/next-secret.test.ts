// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareSecret, takeSecret } from './next-secret.ts';

test('no secret is used twice, whether prepared or not', async () => {
  prepareSecret();
  prepareSecret();
  const taken = await Promise.all([takeSecret(), takeSecret(), takeSecret()]);
  prepareSecret();
  taken.push(await takeSecret());
  assert.equal(new Set(taken.map(({ secret }) => secret)).size, 4);
  assert.equal(new Set(taken.map(({ salt }) => String(salt))).size, 4);
});
