// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysLeft } from './days-left.ts';

test('a started day counts as a whole day', () => {
  const now = Date.parse('2026-05-01T12:00:00.000Z');
  assert.equal(daysLeft('2026-05-11T12:00:00.000Z', now), 10);
  assert.equal(daysLeft('2026-05-11T11:59:59.000Z', now), 10);
  assert.equal(daysLeft('2026-05-01T12:00:01.000Z', now), 1);
  assert.equal(daysLeft('2026-04-30T12:00:00.000Z', now), 0);
});
