// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { common, createLowlight } from 'lowlight';
import { numberLines } from './number-lines.ts';

test('each line of code gets one number, also within a comment, and the code stays the same', () => {
  const code = '/* one\n\ntwo */\nconst three = `a\nb`;\n';
  const tree = JSON.stringify(numberLines(createLowlight(common).highlight('javascript', code), 'start'));
  assert.equal(tree.match(/"start"/g)?.length, 5);
  const texts = Array.from(tree.matchAll(/"value":("(?:[^"\\]|\\.)*")/g), ([, text = '""']) =>
    JSON.parse(text),
  );
  assert.equal(texts.join(''), code);
});
