// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRuns } from './runs.ts';
import { listUncertainRuns, toWordQuery } from './text-query.ts';

test('a word is searched as it is indexed', () => {
  assert.deepEqual(toWordQuery('Ünïcode'), { terms: ['unicode'], words: ['unicode'], runs: [] });
  assert.deepEqual(toWordQuery('tax-free').words, ['tax', 'free']);
  assert.deepEqual(toWordQuery('a-b-a').terms, ['a', 'b']);
  assert.deepEqual(toWordQuery('"--"'), { terms: [], words: [], runs: [] });
});

test('a run is searched by its neighbours, and a single character by itself', () => {
  assert.deepEqual(toWordQuery('年').terms, ['年']);
  assert.deepEqual(toWordQuery('年度报').terms, ['年度', '度报']);
  assert.deepEqual(toWordQuery('2026年度'), {
    terms: ['2026', '年度'],
    words: ['2026'],
    runs: ['年度'],
  });
});

test('a long run is one run with a limited number of terms', () => {
  const run = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
  const { terms, runs } = toWordQuery(run);
  assert.deepEqual(runs, [run]);
  assert.equal(terms.length, 24);
  assert.equal(toWordQuery(run, { maxPairs: 3 }).terms.length, 3);
});

test('only runs of three characters and more are compared with the text', () => {
  assert.deepEqual(listUncertainRuns(['年度', '年度报', 'word'].map((word) => toWordQuery(word))), [
    '年度报',
  ]);
});

for (const [text, run, isThere] of [
  ['本年度报告', '年度报', true],
  ['年度\n报告', '年度报告', true],
  ['年度, 度报', '年度报', false],
  ['年度 报告', '度报', false],
  [`${'一'.repeat(54)}年度报告`, '年度报告', true],
  [`${'一'.repeat(1_000)}年度报告`, '一年度报', true],
  ['ガイドブック', 'ガイド', true],
] as const) {
  test(`${JSON.stringify(text.slice(-12))} ${isThere ? 'contains' : 'does not contain'} ${run}`, async () =>
    assert.equal(await hasRuns(text, [run]), isThere));
}
