// tier: full
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolate, showMarks } from './direction-marks.ts';

const MARKS = ['\u061c', '\u200e', '\u200f', ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)];
const HEBREW = '\u05d0\u05d1.txt';

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index));
}

test('every mark in a name is shown, and nothing else is changed', () => {
  for (const mark of MARKS) {
    assert.match(showMarks(`invoice${mark}fdp.exe`), /^invoice⟨[A-Z]{3}⟩fdp\.exe$/);
    assert.equal(isolate(`invoice${mark}fdp.exe`), showMarks(`invoice${mark}fdp.exe`));
  }
  assert.equal(showMarks(`a 文件 ${HEBREW}`), `a 文件 ${HEBREW}`);
});

test('a name in letters from right to left is isolated once, however often it is put into a text', () => {
  assert.equal(isolate('plain.txt'), 'plain.txt');
  const isolated = isolate(HEBREW);
  assert.equal(isolated, `\u2068${HEBREW}\u2069`);
  assert.equal(isolate(`Compressing ${isolated}`), `\u2068Compressing ${HEBREW}\u2069`);
  assert.equal(showMarks(`Moved “${isolated}”.`), `Moved “${isolated}”.`);
});
