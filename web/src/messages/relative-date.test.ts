// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatRelativeDate } from './relative-date.ts';

const NOW = Date.parse('2026-11-29T12:00:00Z');

function format(iso: string, locale: string, timeZone = 'UTC', now = NOW): string {
  // Some locales separate the time of day from its half with a narrow space.
  return formatRelativeDate(iso, now, { locale, timeZone }).replaceAll('\u202f', ' ');
}

/** From today to an earlier year. */
const TIMES = [
  '2026-11-29T09:05:00Z',
  '2026-11-28T23:59:59Z',
  '2026-11-12T08:00:00Z',
  '2025-11-12T08:00:00Z',
];

test('a date is as short as its distance allows, in the language and region of the user', () => {
  const inLocale = (locale: string) => TIMES.map((time) => format(time, locale));
  assert.deepEqual(inLocale('en-GB'), ['09:05', 'yesterday', '12 Nov', '12 Nov 2025']);
  assert.deepEqual(inLocale('en-US'), ['9:05 AM', 'yesterday', 'Nov 12', 'Nov 12, 2025']);
  assert.deepEqual(inLocale('zh-CN'), ['09:05', '昨天', '11月12日', '2025年11月12日']);
});

test('days begin at midnight of the zone', () => {
  const time = '2026-11-28T22:30:00Z';
  assert.equal(format(time, 'en-GB', 'UTC'), 'yesterday');
  assert.equal(format(time, 'en-GB', 'Europe/Berlin'), 'yesterday');
  assert.equal(format(time, 'en-GB', 'Asia/Shanghai'), '06:30');
  assert.equal(format(time, 'en-GB', 'Pacific/Kiritimati', NOW), 'yesterday');
  assert.equal(format('2025-12-31T23:30:00Z', 'en-GB', 'Asia/Shanghai'), '1 Jan');
  assert.equal(format('2025-12-31T23:30:00Z', 'en-GB', 'UTC'), '31 Dec 2025');
});

test('yesterday may have 23 or 25 hours, and may be in the previous year', () => {
  const berlin = (iso: string, now: string) => format(iso, 'en-GB', 'Europe/Berlin', Date.parse(now));
  assert.equal(berlin('2026-03-28T23:30:00Z', '2026-03-29T22:30:00Z'), 'yesterday');
  assert.equal(berlin('2026-10-24T22:30:00Z', '2026-10-26T22:30:00Z'), 'yesterday');
  assert.equal(berlin('2026-12-31T12:00:00Z', '2027-01-01T12:00:00Z'), 'yesterday');
  assert.equal(berlin('2026-12-30T12:00:00Z', '2027-01-01T12:00:00Z'), '30 Dec 2026');
});

test('a date in the future follows the same rules', () => {
  assert.equal(format('2026-11-30T08:00:00Z', 'en-GB'), 'tomorrow');
  assert.equal(format('2026-12-12T08:00:00Z', 'en-GB'), '12 Dec');
  assert.equal(format('2027-01-02T08:00:00Z', 'en-GB'), '2 Jan 2027');
});
