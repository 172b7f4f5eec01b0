// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime } from './entry-times.ts';

const dosDate = (year: number, month: number, day: number) => ((year - 1980) << 9) | (month << 5) | day;

function extended(seconds: number): Buffer {
  const field = Buffer.from([0x55, 0x54, 5, 0, 1, 0, 0, 0, 0]);
  field.writeUInt32LE(seconds >>> 0, 5);
  return field;
}

test('an invalid calendar date yields no time', () => {
  for (const date of [0, dosDate(2021, 13, 1), dosDate(2021, 2, 30), dosDate(2021, 1, 0)]) {
    assert.equal(readTime(date, 0, Buffer.of()), undefined);
  }
  assert.equal(readTime(dosDate(2021, 1, 1), 24 << 11, Buffer.of()), undefined);
  assert.equal(readTime(dosDate(2021, 1, 1), 0, Buffer.of()), Date.UTC(2021, 0, 1));
});

test('the MS-DOS date shows whether an extended timestamp is signed', () => {
  const later = Date.UTC(2050, 0, 1);
  assert.equal(readTime(dosDate(2050, 1, 1), 0, extended(later / 1_000)), later);
  assert.equal(readTime(dosDate(1980, 1, 1), 0, extended(-86_400)), Date.UTC(1969, 11, 31));
});
