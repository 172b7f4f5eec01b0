// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCommonPasswords } from './common-passwords.ts';

test('the list has the most common passwords without those that are too short', async () => {
  const common = await loadCommonPasswords();
  for (const password of ['password', '12345678', 'qwertyuiop', 'trustno1', 'password123', 'sunshine1']) {
    assert(common.has(password), password);
  }
  assert(!common.has('correct horse battery staple'));
  assert(!common.has('123456'));
  assert(common.size > 3_000 && common.size < 10_000, `${common.size}`);
  for (const password of common) assert.equal(password, password.toLowerCase());
});

test('the list is read once', () => {
  assert.equal(loadCommonPasswords(), loadCommonPasswords());
});
