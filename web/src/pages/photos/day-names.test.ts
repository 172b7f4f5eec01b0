// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayOf } from '../../messages/relative-date.ts';
import { namerOfDays, sampleDays } from './day-names.ts';

const DAYS = ['2026-01-01', '2025-12-31', '2026-01-02', '2025-12-30'];

test('days have short names, with the year only if it is another one', () => {
  const names = (locale: string) => DAYS.map(namerOfDays(locale, '2026-01-01'));
  assert.deepEqual(names('en-GB'), ['Today', 'Yesterday', 'Fri 2 Jan', 'Tue 30 Dec 2025']);
  assert.deepEqual(names('en-US'), ['Today', 'Yesterday', 'Fri Jan 2', 'Tue Dec 30, 2025']);
  assert.deepEqual(names('zh-CN'), ['今天', '昨天', '1月2日周五', '2025年12月30日周二']);
});

test('the day is the one on this device', () => {
  assert.equal(dayOf(new Date(2026, 0, 5, 23, 59).getTime()), '2026-01-05');
});

test('all months are measured', () => {
  const [thisYear, otherYears] = sampleDays('2026-11-14');
  assert.equal(new Set(thisYear.map((day) => day.slice(0, 7))).size, 12);
  assert.ok(otherYears.every((day) => !Number.isNaN(Date.parse(day)) && day.startsWith('2025-')));
});
