// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemIds } from '../base/ids.ts';
import { isPickupCode, newPickupCode, toPickupCode } from './pickup-code.ts';

test('codes have six of 32 symbols, use all of them, and rarely repeat', () => {
  const codes = Array.from({ length: 5_000 }, () => newPickupCode(systemIds));
  for (const code of codes) assert.match(code, /^[2-9A-HJ-NP-Z]{6}$/);
  const counts = Map.groupBy(codes.join(''), (symbol) => symbol);
  assert.equal(counts.size, 32);
  for (const [symbol, { length }] of counts) assert.ok(length > 700 && length < 1_200, `${symbol} ${length}`);
  assert.ok(new Set(codes).size >= 4_995);
  assert.ok(codes.every(isPickupCode));
});

test('a code is read in any case, with spaces and dashes anywhere', () => {
  for (const typed of ['ABC234', 'abc234', ' aBc-234 ', 'A B C 2 3 4', 'abc\u2013234', 'abc\u00a0234']) {
    assert.equal(toPickupCode(typed), 'ABC234');
  }
});

test('a code is read despite the characters that phones and chats put into or around it', () => {
  for (const typed of [
    'abc\u200b234',
    '\u202aabc\u00ad234\u202c\u2060',
    'abc\u2212234',
    'abc_234',
    '"ABC234"',
    '\u201eABC234\u201c.',
    '(abc 234),',
    '`ABC234`',
    '*ABC234*\ufe0f',
    '「ＡＢＣ－２３４」。',
  ]) {
    assert.equal(toPickupCode(typed), 'ABC234', typed);
  }
});

test('a text of another length is rejected, and a text with other symbols is not a code', () => {
  for (const wrong of ['', '     ', 'ABC23', 'ABC2345', '-'.repeat(6)]) {
    assert.throws(() => toPickupCode(wrong), { kind: 'invalid' });
  }
  for (const none of ['ABC10I', 'ABCDEO', 'ABC23\0', 'ABCDÉF'])
    assert.equal(isPickupCode(toPickupCode(none)), false);
});
