// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFormerDays } from './former-years.ts';

test('the days of former years with the date of today are found, with their first pictures', () => {
  const days = ['2026-11-14', '2025-11-14', '2025-11-13', '2023-11-14', '2023-10-14'];
  const groups = days.map((name, at) => ({ name, count: at + 1 }));
  assert.deepEqual(findFormerDays(groups, '2026-11-14'), [
    { day: '2025-11-14', first: 1, yearsAgo: 1 },
    { day: '2023-11-14', first: 6, yearsAgo: 3 },
  ]);
  assert.deepEqual(findFormerDays([], '2026-11-14'), []);
});

test('of many years, only the latest are shown', () => {
  const groups = Array.from({ length: 30 }, (_, at) => ({ name: `${2025 - at}-02-03`, count: 1 }));
  assert.equal(findFormerDays(groups, '2026-02-03').length, 6);
});
