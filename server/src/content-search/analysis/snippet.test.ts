// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { MAX_SNIPPET_LENGTH, makeSnippet } from './snippet.ts';
import { toWordQuery } from './text-query.ts';

const snippetOf = async (text: string, search: string) => {
  const snippet = await makeSnippet(
    text,
    search.split(' ').map((word) => toWordQuery(word)),
  );
  return snippet?.replaceAll('\ue000', '[').replaceAll('\ue001', ']') ?? null;
};

for (const [text, search, expected] of [
  ['The annual report.', 'REPORT', 'The annual [report].'],
  ['The annual report.', 'missing', null],
  ['A Crème\nbrûlée!', 'creme brulee', 'A [Crème] [brûlée]!'],
  ['本年度报告书', '年度报告', '本[年度报告]书'],
  ['本年度\n报告书', '年度报告', '本[年度 报告]书'],
  ['ﾃｽﾄ ガイドブック', 'ガイド', 'ﾃｽﾄ [ガイド]ブック'],
  ['年年年', '年', '[年][年][年]'],
  ['ｶﾞｲﾄﾞﾌﾞｯｸ', 'ガイド', '[ｶﾞｲﾄﾞ]ﾌﾞｯｸ'],
  ['本ゟ本', 'り', '本[ゟ]本'],
] as const) {
  test(`${JSON.stringify(text)} is shown for "${search}" as ${JSON.stringify(expected)}`, async () =>
    assert.equal(await snippetOf(text, search), expected));
}

test('decomposed Korean, and a phrase that a long run is divided in, are shown', async () => {
  const korean = '한국어'.normalize('NFD');
  assert.equal(
    await snippetOf(`${korean} 회의록`, '한국'),
    `[${'한국'.normalize('NFD')}]${'어'.normalize('NFD')} 회의록`,
  );
  assert.match((await snippetOf(`${'漢'.repeat(53)}年度报告`, '年度报告')) ?? '', /漢\[年度报告\]$/);
});

test('the passage with most of the words is shown', async () => {
  const text = `apple ${'filler '.repeat(100)}apple and pear ${'filler '.repeat(100)}`;
  assert.match((await snippetOf(text, 'pear apple')) ?? '', /\[apple\] and \[pear\] filler/);
});

test('a passage begins and ends between words', async () => {
  const text = `${'before '.repeat(100)}target ${'after '.repeat(100)}`;
  const snippet = (await snippetOf(text, 'target')) ?? '';
  assert.match(snippet, /^(?:before )+\[target\](?: after)+$/);
});

test('a passage is short, well-formed, and contains a hit, whatever the text is', async () => {
  const unit = fc.constantFrom('a', 'b', ' ', '\n', '年', '𠀀', '👍', 'é', 'İ');
  const text = fc.string({ unit, minLength: 1, maxLength: 600 });
  await fc.assert(
    fc.asyncProperty(text, async (around) => {
      const found = await makeSnippet(`${around} word ${around}`, [toWordQuery('word')]);
      const snippet = found ?? assert.fail();
      assert.ok(snippet.isWellFormed());
      assert.ok(snippet.includes('\ue000word\ue001'));
      assert.ok(snippet.replaceAll(/[\ue000\ue001]/g, '').length <= MAX_SNIPPET_LENGTH);
    }),
  );
});
