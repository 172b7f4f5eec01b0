import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uses } from './module-imports.ts';

test('a module uses what it imports, and what that imports', () => {
  assert.equal(uses('tools/nginx.test.ts', 'tools/nginx.ts'), true);
  assert.equal(uses('tools/nginx.test.ts', 'tools/debian-packages.ts'), true);
  assert.equal(uses('server/test/nginx.test.ts', 'tools/nginx.ts'), true);
});

test('a module does not use what none of them imports', () => {
  assert.equal(uses('tools/nginx.ts', 'tools/nginx.test.ts'), false);
  assert.equal(uses('tools/nginx.test.ts', 'tools/postgres.ts'), false);
  assert.equal(uses('tools/not-there.ts', 'tools/nginx.ts'), false);
});
