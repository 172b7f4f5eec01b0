// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_UNITS_PER_BYTE, MAX_UNITS_PER_CHARACTER, toNormalForm } from './normal-form.ts';

test('text up to the limit is normalised, longer text is not', () => {
  assert.equal(toNormalForm('e\u0301', 2), '\u00e9');
  assert.equal(toNormalForm('e\u0301', 1), undefined);
  assert.equal(toNormalForm('\ufb01', 1, 'NFKC'), 'fi');
});

test('text far beyond the limit is refused without any work', () => {
  const hostile = `a${'\u0315\u0300'.repeat(500_000)}`;
  // CPU time, because other processes may use the cores. Normalising this text takes minutes.
  const before = process.cpuUsage();
  for (let count = 0; count < 1_000; count += 1) assert.equal(toNormalForm(hostile, 1_000), undefined);
  assert.ok(process.cpuUsage(before).user < 200_000);
});

test('no character has more code units than the limits of texts allow for', () => {
  let [perByte, perCharacter] = [0, 0];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const composed = String.fromCodePoint(code).normalize('NFC');
    const units = composed.normalize('NFD').length;
    perByte = Math.max(perByte, units / Buffer.byteLength(composed));
    perCharacter = Math.max(perCharacter, units / [...composed].length);
  }
  assert.deepEqual([perByte, perCharacter], [MAX_UNITS_PER_BYTE, MAX_UNITS_PER_CHARACTER]);
});
