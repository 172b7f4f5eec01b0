// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFileTime, parseUnixTime, toFileTime } from './file-times.ts';

test('seconds since 1970 may be negative, and may have a fraction or an exponent', () => {
  for (const [text, instant] of [
    ['-31494360', -31_494_360_000],
    ['1e9', 1_000_000_000_000],
    ['1.5E+3', 1_500_000],
    [' 1234567891.5678901 ', 1_234_567_891_567],
    ['-0.5', -500],
    ['0', 0],
    ['253402300799', 253_402_300_799_000],
    ['-62167219200', -62_167_219_200_000],
  ] as const) {
    assert.equal(parseUnixTime(text), instant, text);
  }
});

test('seconds outside the years with four digits, and other text, are rejected', () => {
  for (const text of ['253402300800', '-62167219201', '1e99', '', 'abc', '0x10', 'NaN', 'Infinity', '1 2'])
    assert.equal(parseUnixTime(text), undefined, text);
  assert.equal(parseUnixTime(`${' '.repeat(100)}1`), undefined);
});

test('a file time is a date in ISO-8601 or HTTP, also before 1970', () => {
  for (const [text, instant] of [
    ['Fri, 01 Jan 1965 00:00:00 GMT', Date.UTC(1965, 0, 1)],
    ['Friday, 01-Jan-65 00:00:00 GMT', Date.UTC(1965, 0, 1)],
    ['Fri Jan  1 00:00:00 1965', Date.UTC(1965, 0, 1)],
    ['1965-01-01T01:00:00+01:00', Date.UTC(1965, 0, 1)],
    ['1965-01-01', Date.UTC(1965, 0, 1)],
  ] as const) {
    assert.equal(parseFileTime(text), instant, text);
  }
  for (const text of ['1', '1e9', 'yesterday', '0000-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])
    assert.equal(parseFileTime(text), undefined, text);
});

test('a file time is a whole millisecond', () => {
  assert.equal(toFileTime(-0.5), -1);
  assert.equal(toFileTime(1.9), 1);
  assert.equal(toFileTime(Number.NaN), undefined);
});
