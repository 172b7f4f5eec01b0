// tier: default
// Long texts are analysed and searched in turns with everything else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BLOCK_MS, measureBlock } from '../../../test/support/stalls/longest-block.ts';
import { hasRuns } from './runs.ts';
import { makeSnippet } from './snippet.ts';
import { analyseText } from './terms.ts';
import { HitFinder } from './text-hits.ts';
import { toWordQuery } from './text-query.ts';
import { readTokens } from './tokens.ts';

const MIB = 1_024 ** 2;

function repeat(length: number, toPart: (index: number) => string): string {
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += toPart(index);
  return text;
}

/** Each takes about 1 MiB in UTF-8. */
const TEXTS = {
  'different words': repeat(MIB, (index) => `word${index.toString(36)} `),
  'words with accents': repeat(MIB / 2, (index) => `éà${index.toString(36)} `),
  'one run without spaces': repeat(MIB / 3, (index) =>
    String.fromCodePoint(0x4e00 + ((index * 7_919) % 20_000)),
  ),
  'one word without spaces': 'x'.repeat(MIB),
  'combining marks': `e${'\u0301'.repeat(MIB / 2)}`,
  spaces: ' \n'.repeat(MIB / 2),
};

for (const [what, text] of Object.entries(TEXTS)) {
  test(`${what} do not hold the event loop`, async () => {
    const queries = ['missing', '失踪者'].map((word) => toWordQuery(word));
    for (const act of [
      () => Promise.all(Array.from({ length: 4 }, () => analyseText(text))),
      () => makeSnippet(text, queries),
      () => hasRuns(text, ['失踪者']),
    ]) {
      const block = await measureBlock(act);
      assert.ok(block <= MAX_BLOCK_MS, `${block} ms`);
    }
  });
}

for (const [what, character] of [
  ['Chinese', '年'],
  ['Thai', 'ก'],
  ['Korean letters', '\u1100\u1161'],
] as const) {
  const text = character.repeat(MIB / 3 / character.length);
  const phrase = character.repeat(1_024 / character.length);

  test(`a phrase of 1,024 characters in ${what} takes as much work as a short one`, () => {
    let units = 0;
    const slice = (start: number, end: number) => {
      units += end - start;
      return text.slice(start, end);
    };
    const finder = new HitFinder(Object.assign(Object(text), { slice }), toWordQuery(phrase));
    let hits = 0;
    for (const token of readTokens(text)) hits += finder.find(token).length;
    assert.equal(hits, Math.floor(text.length / phrase.length));
    assert.ok(units <= 2 * text.length, `${units} units were read`);
  });

  test(`a phrase of 1,024 characters in ${what} does not hold the event loop, and is cancelled`, async () => {
    const query = toWordQuery(phrase);
    const missing = `${phrase.slice(character.length)}失`;
    for (const act of [() => makeSnippet(text, [query]), () => hasRuns(text, [missing])]) {
      const block = await measureBlock(act);
      assert.ok(block <= MAX_BLOCK_MS, `${block} ms`);
    }
    const signal = AbortSignal.abort(new Error('cancelled'));
    await assert.rejects(makeSnippet(text, [toWordQuery(missing)], signal), /cancelled/);
    await assert.rejects(hasRuns(text, [missing], signal), /cancelled/);
  });
}
