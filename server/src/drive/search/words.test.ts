// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../base/failure.ts';
import { MAX_NAME_LENGTH } from '../../base/text/names/file-name.ts';
import { MAX_TERMS, MAX_WORDS, toSearchWords, toWords } from './words.ts';

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

test('a search in texts has a limited number of terms', () => {
  const words = Array.from({ length: MAX_TERMS }, (_, index) => `w${index}`).join('-');
  assert.equal(toSearchWords(words)[0]?.inText.terms.length, MAX_TERMS);
  assert.throws(
    () => toSearchWords(`${words}-more`),
    (error) => error instanceof Failure && error.kind === 'invalid',
  );
});

test('long runs are looked for by fewer pairs if there are many', () => {
  const run = (from: number) =>
    Array.from({ length: 30 }, (_, index) => String.fromCodePoint(0x4e00 + from + index)).join('');
  const runs = Array.from({ length: 10 }, (_, index) => run(index * 100));
  const [word, ...others] = toSearchWords(runs.join(','));
  assert.deepEqual([word?.inText.terms.length, others.length], [20, 0]);
  assert.deepEqual(word?.inText.runs, runs);
});

test('words of punctuation count only alone', () => {
  assert.deepEqual(
    toSearchWords('R & D').map(({ inName }) => inName),
    ['r', 'd'],
  );
  assert.deepEqual(
    toSearchWords('& --').map(({ inName }) => inName),
    ['&', '--'],
  );
});
