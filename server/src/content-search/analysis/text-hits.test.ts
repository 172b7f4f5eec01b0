// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { hasRuns } from './runs.ts';
import { findBestHit, type Hit, HitFinder, toTextQuery } from './text-hits.ts';
import { foldRun, foldWord, locateRun, readTokens } from './tokens.ts';

function hitsIn(text: string, query: string): readonly Hit[] {
  const finder = new HitFinder(text, toTextQuery(query));
  return Array.from(readTokens(text), (token) => finder.find(token)).flat();
}

function found(text: string, query: string): readonly string[] {
  return hitsIn(text, query).map(({ start, end }) => text.slice(start, end));
}

const han = (count: number, from = 0x4e00) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index)).join('');

test('whole words are found, regardless of case, accents and order', () => {
  assert.deepEqual(found('The rent for May. RENT!', 'may rent'), ['rent', 'May', 'RENT']);
  assert.deepEqual(found('parental rents', 'rent'), []);
  assert.deepEqual(found('Ein Résumé, ein resume', 'RÉSUMÉ'), ['Résumé', 'resume']);
  assert.deepEqual(found('Straße STRASSE', 'strasse'), ['Straße', 'STRASSE']);
  assert.deepEqual(found('e\u0301te\u0301', 'été'), ['e\u0301te\u0301']);
  assert.deepEqual(found('invoice 2026-001', '2026'), ['2026']);
  assert.deepEqual(found('x'.repeat(70), 'x'.repeat(64)), ['x'.repeat(70)]);
  assert.deepEqual(found('the de\u00adpo\u00adsit', 'deposit'), ['de\u00adpo\u00adsit']);
});

test('a run of Chinese, Japanese or Korean characters is found as a phrase', () => {
  assert.deepEqual(found('今年的房租合同房租', '房租'), ['房租', '房租']);
  assert.deepEqual(found('合租房', '租合'), []);
  assert.deepEqual(found('2026年房租', '房租 2026'), ['2026', '房租']);
  assert.deepEqual(found('회의록을 보냈다', '회의록'), ['회의록']);
  assert.deepEqual(found('年年年', '年年'), ['年年']);
});

for (const between of ['\n', '\r\n', '\n\n', '\n\u3000', ' \n\t', '\u2028', '\u00ad']) {
  test(`a phrase is found over ${JSON.stringify(between)}`, () => {
    const text = `年度${between}报告`;
    assert.deepEqual(found(text, '年度报告'), [text]);
  });
}

for (const [what, text, query] of [
  ['half-width kana', 'ﾊﾟﾝ', 'パン'],
  ['half-width kana in full width', 'ガ', 'ｶﾞ'],
  ['decomposed kana', 'か\u3099', 'が'],
  ['decomposed Korean', '한국어'.normalize('NFD'), '한국어'],
  ['Korean letters in half width', 'ﾡￂ', '가'],
  ['compatible letters', 'ㄱㅏ', '가'],
  ['characters in one', 'ゟ', 'より'],
  ['parts of a character', 'ゟ', 'り'],
] as const) {
  test(`${what} are found in runs`, async () => {
    assert.deepEqual(found(`本${text}本`, query), [text]);
    assert.equal(await hasRuns(`本${text}本`, toTextQuery(query).runs), true);
  });
}

test('a phrase is found wherever a long run is read in parts', async () => {
  for (const phrase of ['报告', '年度报告书', han(120, 0x6000), 'ｶﾞｷﾞｸﾞ', '한국어', 'ภาษาไทย']) {
    for (let length = 45; length < 60; length += 1) {
      for (const form of ['NFC', 'NFD'] as const) {
        const shown = phrase.normalize(form);
        const text = `${han(length)}${shown}${han(200)}${shown}`;
        assert.deepEqual(found(text, phrase), [shown, shown], `${phrase} after ${length}`);
        assert.equal(await hasRuns(text, toTextQuery(phrase).runs), true);
      }
    }
  }
});

test('each hit in a long run is found once', () => {
  assert.equal(hitsIn('年'.repeat(1_001), '年').length, 1_001);
  assert.equal(hitsIn('年'.repeat(1_001), '年年').length, 500);
});

test('characters that are folded by themselves are those of the folded run', () => {
  const unit = fc.oneof(
    fc.integer({ min: 0x0e01, max: 0x0eff }),
    fc.integer({ min: 0x1000, max: 0x11ff }),
    fc.integer({ min: 0x1780, max: 0x17dd }),
    fc.integer({ min: 0x3041, max: 0x318e }),
    fc.integer({ min: 0x4e00, max: 0x4e05 }),
    fc.integer({ min: 0xac00, max: 0xac1f }),
    fc.integer({ min: 0xff66, max: 0xffdc }),
  );
  const run = fc.array(unit, { minLength: 1, maxLength: 30 }).map((codes) => String.fromCodePoint(...codes));
  fc.assert(
    fc.property(run, (text) => {
      const { folded, starts, ends } = locateRun(text);
      assert.equal(folded, foldWord(text));
      assert.equal(folded, foldRun(text));
      assert.ok(starts.every((start, index) => start < (ends[index] ?? 0)));
    }),
    { numRuns: 5_000 },
  );
});

test('the usual characters of runs are folded already', () => {
  for (const [first, last] of [
    [0x3041, 0x3096],
    [0x30a1, 0x30fa],
    [0x4e00, 0x9fff],
    [0xac00, 0xd7a3],
  ] as const) {
    for (let code = first; code <= last; code += 1) {
      const character = String.fromCodePoint(code);
      assert.equal(foldWord(character), character);
    }
  }
});

test('the best hit is followed by the most different ones', () => {
  const hit = (start: number, needle: string) => ({ start, end: start + needle.length, needle });
  const best = (...hits: readonly Hit[]) => findBestHit(hits)?.start;
  assert.equal(best(hit(0, 'may'), hit(500, 'may'), hit(600, 'rent')), 500);
  assert.equal(best(hit(0, 'may'), hit(20, 'may'), hit(500, 'rent')), 0);
  assert.equal(best(hit(0, 'may'), hit(138, 'rent'), hit(300, 'may'), hit(310, 'rent')), 300);
  assert.equal(best(), undefined);
});
