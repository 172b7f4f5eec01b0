import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReached } from './goals.ts';

test('a goal is reached at its bound and missed behind it', () => {
  assert.ok(isReached({ figure: 'rate', of: 'value', atLeast: 100 }, 100));
  assert.ok(!isReached({ figure: 'rate', of: 'value', atLeast: 100 }, 99.9));
  assert.ok(isReached({ figure: 'time', of: 'value', atMost: 2 }, 2));
  assert.ok(!isReached({ figure: 'time', of: 'value', atMost: 2 }, 2.1));
});
