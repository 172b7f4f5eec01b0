// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DAY,
  HOUR,
  MINUTE,
  parseLocalTime,
  parseTimestamp,
  SECOND,
  systemClock,
  toLocalTime,
} from './clock.ts';
import { toTimestamp } from './dates.ts';

test('a timestamp is in UTC with milliseconds and Z', () => {
  assert.equal(toTimestamp(0), '1970-01-01T00:00:00.000Z');
  assert.equal(toTimestamp(Date.UTC(2026, 1, 28, 23, 59, 59, 7)), '2026-02-28T23:59:59.007Z');
});

test('the system clock counts milliseconds', () => {
  const before = Date.now();
  const now = systemClock.now();
  assert.ok(before <= now && now <= Date.now());
});

test('the units are milliseconds', () => {
  assert.deepEqual([SECOND, MINUTE, HOUR, DAY], [1_000, 60_000, 3_600_000, 86_400_000]);
});

test('a timestamp may have a zone; without one it is in UTC', () => {
  const noon = Date.UTC(2026, 1, 28, 12);
  for (const text of [
    '2026-02-28T12:00:00.000Z',
    '2026-02-28T12:00:00Z',
    '2026-02-28T12:00:00',
    '2026-02-28 12:00',
    '2026-02-28T14:00:00+02:00',
    '2026-02-28T07:00-0500',
    '2026-02-28T13:00:00.0+01',
    ' 2026-02-28t12:00:00,000000000z ',
  ]) {
    assert.equal(parseTimestamp(text), noon, text);
  }
  assert.equal(parseTimestamp('2026-02-28'), Date.UTC(2026, 1, 28));
  assert.equal(parseTimestamp('2026-02-28T12:00:00.5Z'), noon + 500);
});

test('the local time of a timestamp does not depend on its zone', () => {
  for (const text of [
    '2026-02-28T12:00:00',
    '2026-02-28T12:00:00Z',
    '2026-02-28T12:00:00+13:00',
    ' 2026-02-28T12:00:00-1100 ',
    '2026-02-28T12:00:00.000-11',
  ]) {
    const local = parseLocalTime(text) ?? assert.fail(text);
    assert.equal(toLocalTime(local), '2026-02-28T12:00:00', text);
  }
  assert.equal(parseLocalTime('2026-02-28'), Date.UTC(2026, 1, 28));
  for (const text of ['', 'tomorrow', '2026-02-30T12:00:00+01:00', '+01:00'])
    assert.equal(parseLocalTime(text), undefined, text);
});

test('text that is not a timestamp is read as undefined', () => {
  for (const text of [
    '',
    'tomorrow',
    '2026',
    '2026-2-28',
    '2026-02-30T12:00:00Z',
    '2026-13-01',
    '2026-02-28T25:00:00Z',
    '2026-02-28T12:60:00Z',
    '2026-02-28T12:00:00+25:00',
    '28.02.2026',
    '1772280000000',
  ]) {
    assert.equal(parseTimestamp(text), undefined, text);
  }
});
