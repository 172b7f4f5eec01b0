// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isReached } from './goals.ts';

const judge = (goal: { atLeast: number } | { atMost: number }, value: number) =>
  isReached({ figure: 'rate', of: 'value', ...goal }, { value, ratio: null });

test('a goal is reached at its bound and missed beyond it', () => {
  assert.equal(judge({ atLeast: 100 }, 100), true);
  assert.equal(judge({ atLeast: 100 }, 99.9), false);
  assert.equal(judge({ atMost: 2 }, 2), true);
  assert.equal(judge({ atMost: 2 }, 2.1), false);
});

test('a goal for a ratio is not judged without a ratio', () => {
  assert.equal(isReached({ figure: 'rate', of: 'ratio', atLeast: 0.5 }, { value: 100, ratio: null }), null);
});

test('a goal with two alternatives is reached by either', () => {
  const goal = { figure: 'rate', of: 'ratio', atLeast: 1.5, orValueAtLeast: 1_000 } as const;
  assert.equal(isReached(goal, { value: 10, ratio: 1.5 }), true);
  assert.equal(isReached(goal, { value: 1_000, ratio: 0.5 }), true);
  assert.equal(isReached(goal, { value: 999, ratio: 1.49 }), false);
});
