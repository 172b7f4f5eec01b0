// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyseText, toOftenTerm } from './terms.ts';
import { MAX_WORD_LENGTH, readTokens } from './tokens.ts';

for (const [text, terms] of [
  ['', []],
  [' \n—!', []],
  ['Annual Report 2026', ['annual', 'report', '2026']],
  ['tax-free, foo_bar', ['tax', 'free', 'foo', 'bar']],
  ['Éclair e\u0301clair ECLAIR', ['eclair']],
  ['Straße ŁÓDŹ Þór', ['strasse', 'lodz', 'thor']],
  ['ΟΔΟΣ οδος', ['οδοσ']],
  ['ＡＢＣ ﬁne ①', ['abc', 'fine', '1']],
  ['كِتَاب كتـاب', ['كتاب']],
  ['أسماء إلى مدرسة', ['اسماء', 'الي', 'مدرسه']],
  ['हिन्दी', ['हिन्दी']],
  ['年度报告', ['年', '度', '报', '告', '年度', '度报', '报告']],
  ['年', ['年']],
  ['年度\n报告', ['年', '度', '报', '告', '年度', '度报', '报告']],
  ['年度 报告', ['年', '度', '年度', '报', '告', '报告']],
  ['2026年a', ['2026', '年', 'a']],
  ['ｶﾞｲﾄﾞ', ['ガ', 'イ', 'ド', 'ガイ', 'イド']],
  ['カード', ['カ', 'ー', 'ド', 'カー', 'ード']],
  ['한국어', ['한', '국', '어', '한국', '국어']],
  ['𠀀𠀁', ['𠀀', '𠀁', '𠀀𠀁']],
] as const) {
  test(`${JSON.stringify(text)} has the terms ${JSON.stringify(terms)}`, async () =>
    assert.deepEqual((await analyseText(text)).terms, terms));
}

test('a term that a text has often has a second term', async () => {
  const { terms } = await analyseText('a b a b a b a');
  assert.deepEqual(terms, ['a', toOftenTerm('a'), 'b']);
});

test('long words are cut between characters', async () => {
  const long = `x${'𐐨'.repeat(MAX_WORD_LENGTH)}`;
  const { terms } = await analyseText(long);
  assert.deepEqual(terms, [`x${'𐐨'.repeat(MAX_WORD_LENGTH / 2 - 1)}`]);
});

test('a long run has the terms of all characters and neighbours, also where it is read in parts', async () => {
  for (const length of [54, 55, 56, 108, 109, 110, 111, 1_000]) {
    const run = Array.from({ length }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('');
    const { terms } = await analyseText(run);
    const wanted = Array.from(run).flatMap((one, index) => [one, one + (run[index + 1] ?? '')]);
    const found = new Set(terms);
    const missing = wanted.filter((term) => !found.has(term));
    assert.deepEqual(missing, [], `${length} characters`);
  }
});

test('tokens have the positions of the text', () => {
  const text = 'Zum 年度\n报告: “Geld”';
  const parts = Array.from(readTokens(text), ({ kind, start, end }) => [kind, text.slice(start, end)]);
  assert.deepEqual(parts, [
    ['word', 'Zum'],
    ['run', '年度\n报告'],
    ['word', 'Geld'],
  ]);
});

test('texts with too many different terms are indexed in part', async () => {
  const words = Array.from({ length: 200_000 }, (_, index) => `word${index}`);
  const { terms } = await analyseText(words.join(' '));
  const bytes = terms.reduce((sum, term) => sum + Buffer.byteLength(term), 0);
  assert.ok(bytes <= 1_000_000 && bytes > 890_000, `${bytes} bytes`);
});

test('terms are counted after a text has too many different ones', async () => {
  const words = Array.from({ length: 200_000 }, (_, index) => `word${index}`);
  const { terms } = await analyseText(`early often often often ${words.join(' ')} often early early early`);
  const bytes = terms.reduce((sum, term) => sum + Buffer.byteLength(term), 0);
  assert.ok(terms.includes(toOftenTerm('early')) && terms.includes(toOftenTerm('often')));
  assert.ok(bytes <= 1_000_000, `${bytes} bytes`);
});

test('a long run is read in parts between characters, also those of half width', async () => {
  for (let length = 40; length < 60; length += 1) {
    const { terms } = await analyseText(`${'漢'.repeat(length)}ｶﾞｷﾞｸﾞ${'字'.repeat(60)}`);
    const missing = ['漢ガ', 'ガギ', 'ギグ', 'グ字'].filter((term) => !terms.includes(term));
    assert.deepEqual(missing, [], `${length} characters`);
  }
});

test('a short text is more relevant than a long one, and a frequent term more than a rare one', async () => {
  const short = await analyseText('invoice');
  const long = await analyseText('invoice and more '.repeat(5_000));
  assert.ok(short.onceScore > long.onceScore);
  assert.ok(short.oftenScore > short.onceScore && long.oftenScore > long.onceScore);
});

test('a text with a run is as relevant as one with as many words', async () => {
  const [run, words] = ['字'.repeat(200), 'w '.repeat(200)];
  assert.equal((await analyseText(run)).onceScore, (await analyseText(words)).onceScore);
});
