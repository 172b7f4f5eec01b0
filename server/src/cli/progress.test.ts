// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { escapeControlsInLines } from '../base/text/escapes.ts';
import { ProgressLine } from './progress.ts';

test('on a terminal progress overwrites one line, at most every 100 ms, and clear() removes it', () => {
  const { line, written, pass } = start(true);
  line.show('one');
  line.show('two');
  pass(100);
  line.show('three');
  line.clear();
  line.clear();
  assert.deepEqual(written, ['\r\u001b[Kone', '\r\u001b[Kthree', '\r\u001b[K']);
});

test('without a terminal progress is a new line every few seconds, and a short command writes none', () => {
  const { line, written, pass } = start(false);
  line.show('one');
  pass(5_000);
  line.show('two');
  pass(4_999);
  line.show('three');
  line.clear();
  assert.deepEqual(written, ['two\n']);
});

test('no name can change the terminal, and JSON keeps its meaning', () => {
  const { line, written } = start(true);
  line.show('invoice\u202efdp.exe');
  assert.deepEqual(written, [String.raw`${'\r\u001b[K'}invoice\u202efdp.exe`]);
  const record = { path: '/invoice\u202efdp.exe\u009b31m' };
  assert.deepEqual(JSON.parse(escapeControlsInLines(JSON.stringify(record, null, '\t'))), record);
});

function start(isTTY: boolean) {
  let now = 1_000;
  const written: string[] = [];
  const line = new ProgressLine({ isTTY, write: (text) => written.push(text) }, () => now);
  return { line, written, pass: (milliseconds: number) => (now += milliseconds) };
}
