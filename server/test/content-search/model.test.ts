// tier: full
// runs on: sqlite, postgres
// Random texts, names and searches, compared with a search that reads everything.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../../tools/testing/fast-check.ts';
import { SEED } from '../../../tools/testing/seed.ts';
import { isLong } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import { checkBooks } from '../support/checks/books.ts';
import { searchDirectly } from '../support/content-search/direct-search.ts';
import { PlainTexts, takeTexts } from '../support/content-search/plain-texts.ts';
import { find } from '../support/drive/search.ts';

const RUNS = isLong ? 20 : 4;

const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_DIRECTORIES: 'zz', HOLDALL_RATE_LIMITS: 'off' },
  extraction: new PlainTexts(),
});

const piece = fc.constantFrom('ab', 'AB', 'é', 'e', '1', '年', '度', '报', '𠀀', ' ', ' ', '\n', '-', '。');
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
const namePiece = fc.constantFrom('ab', 'é', '年', '度', '-');
const name = fc.array(namePiece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
const file = fc.record({ name, text });
const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join(''));
const search = fc.record({
  words: fc.array(word, { minLength: 1, maxLength: 3 }),
  place: fc.constantFrom<('content' | 'all')[]>('content', 'all'),
});

const UNSPACED = '[年度报\u{20000}]';

function fold(part: string): string {
  return part.toLowerCase().replaceAll('é', 'e');
}

/** Words, and runs of characters from scripts without spaces. */
function split(part: string): { words: readonly string[]; runs: readonly string[] } {
  const joined = fold(part).replaceAll(new RegExp(`(?<=${UNSPACED})\\n(?=${UNSPACED})`, 'gu'), '');
  return {
    words: joined.match(/[a-z0-9]+/g) ?? [],
    runs: joined.match(new RegExp(`${UNSPACED}+`, 'gu')) ?? [],
  };
}

function isInText(wanted: string, content: string): boolean {
  const [{ words, runs }, has] = [split(wanted), split(content)];
  if (words.length + runs.length === 0) return false;
  return (
    words.every((one) => has.words.includes(one)) &&
    runs.every((run) => has.runs.some((r) => r.includes(run)))
  );
}

it('finds what a search that reads everything finds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(file, { minLength: 1, maxLength: 12 }),
      fc.array(search, { minLength: 5, maxLength: 20 }),
      async (files, searches) => {
        const person = await holdall.register('model');
        const stored = new Map(files.map((each) => [each.name, each.text]));
        for (const [filename, content] of stored) await person.upload(`/${filename}`, content, 'text/plain');
        await takeTexts(holdall);
        for (const { words, place } of searches) {
          const q = words.join(' ');
          const wanted = q.split(/\s+/).filter((one) => one !== '');
          if (wanted.length === 0) continue;
          const real = wanted.filter((one) => /[\p{L}\p{N}]/u.test(one));
          // Punctuation counts only if there is nothing else, and only in names.
          const sought = real.length > 0 || place === 'content' ? real : wanted;
          const expected = [...stored]
            .filter(
              ([filename, content]) =>
                sought.length > 0 &&
                sought.every(
                  (one) => isInText(one, content) || (place === 'all' && fold(filename).includes(fold(one))),
                ),
            )
            .map(([filename]) => filename);
          const { items, total } = await find(person, { in: place, q, size: 100 });
          const found = items.map(({ filename }) => filename);
          const message = JSON.stringify({ q, place, stored: [...stored] });
          assert.deepEqual(found.toSorted(), expected.toSorted(), message);
          assert.equal(total, expected.length, message);
          // Neither the plan nor the files of others change the answer or its order.
          for (const limits of [{ maxFewEntries: 0 }, { hitsPerLookup: 0 }]) {
            assert.deepEqual(await searchDirectly(holdall, person, { q, place, limits }), {
              names: found,
              total,
            });
          }
        }
      },
    ),
    { numRuns: RUNS, seed: SEED, endOnFailure: true },
  );
  await checkBooks(holdall);
});
