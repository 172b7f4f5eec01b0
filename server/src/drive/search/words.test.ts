// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { MAX_WORDS, toWords } from './words.ts';

for (const [text, words] of [
  ['', []],
  [' \t\u3000\u00a0 ', []],
  ['Annual  Report', ['annual', 'report']],
  ['É e\u0301 e', ['e']],
  ['\u0301 x', ['x']],
  ['100% _a_ "b" -c OR', ['100%', '_a_', '"b"', '-c', 'or']],
] as const) {
  test(`${JSON.stringify(text)} has the words ${JSON.stringify(words)}`, () =>
    assert.deepEqual(toWords(text), words));
}

test('a repeated word counts once', () => {
  const different = Array.from({ length: MAX_WORDS }, (_, index) => `w${index}`);
  assert.deepEqual(toWords([...different, ...different].join(' ')), different);
  assert.throws(
    () => toWords([...different, 'more'].join(' ')),
    (error) => error instanceof Failure && error.kind === 'invalid',
  );
});

test('a word longer than any name matches nothing', () => {
  assert.equal(toWords(`a ${'x'.repeat(MAX_NAME_LENGTH + 1)}`), undefined);
  assert.deepEqual(toWords('x'.repeat(MAX_NAME_LENGTH)), ['x'.repeat(MAX_NAME_LENGTH)]);
});
