// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../../test/support/text/any-character.ts';
import { foldName, toClosestFileName } from './file-name.ts';
import { toPlainName } from './plain-name.ts';
import { toSortName, toSortPrefix } from './sort-name.ts';

/** Compares text as both engines do. */
const compare = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const byKey = (one: string, other: string) => compare(toSortName(one), toSortName(other));
const collator = new Intl.Collator('und', { numeric: true, sensitivity: 'base' });
const anyName = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 120 }).map(toClosestFileName);

describe('names in order', () => {
  for (const names of [
    ['file 1', 'file 2', 'file 10', 'file 100', 'file a'],
    ['IMG_9.jpg', 'IMG_10.jpg', 'IMG_0100.jpg'],
    ['v1.2.9', 'v1.2.10', 'v1.10'],
    ['第2章', '第10章', '第１１章'],
    ['٣ تقرير', '١٠ تقرير'],
    ['1', '９', '10', '१२'],
    [`${'9'.repeat(28)}`, `1${'0'.repeat(28)}`, `1${'0'.repeat(29)}`, `1${'0'.repeat(200)}`],
    ['ähnlich', 'apfel', 'Äpfel', 'Zebra'],
    ['Resume', 'résumé', 'resumes'],
    ['grosse', 'Größe', 'grosser'],
    ['_draft', '-draft', '.draft', '(draft)', '€', '😀', '0', 'draft'],
    ['елка', 'ёлка', 'жук', 'игра', 'имя', 'іній', 'йогурт', 'кот'],
    ['Άλφα', 'βήτα', 'Ωμέγα'],
    ['か', 'ガ', 'き'],
    ['가', '각', '나'],
  ]) {
    test(`${names.map((name) => name.slice(0, 30)).join(', ')} keep this order`, () => {
      assert.deepEqual(names.toReversed().toSorted(byKey), names);
    });
  }

  test('leading zeros do not change the place of a number', () => {
    assert.equal(toSortName('file 007 b'), toSortName('file 7 b'));
    assert.equal(toSortName('000'), toSortName('0'));
  });

  test('names with the same letters come without accents first', () => {
    assert.deepEqual(['résumé', 'resume'].toSorted(byKey), ['resume', 'résumé']);
  });
});

test('the order of keys is that of the Unicode collation algorithm with numbers', () => {
  const unit = fc.constantFrom(
    ...'abcxyzABZäÖéñçßøłœ0123456789０５٣ _-.,()[]&+$αβγωΆабвеёжийклэюяіјガがかキアいㅏ가각힣一中第'.split(
      '',
    ),
  );
  const name = fc.string({ unit, maxLength: 12 });
  fc.assert(
    fc.property(name, name, (one, other) => {
      const expected = collator.compare(one, other);
      if (expected !== 0) assert.equal(byKey(one, other), Math.sign(expected));
    }),
    { numRuns: 5_000 },
  );
});

test('numbers of any length count as numbers', () => {
  const number = fc.bigInt({ min: 0n, max: 10n ** 80n });
  fc.assert(
    fc.property(number, number, fc.nat(5), (one, other, zeros) => {
      const expected = one < other ? -1 : Number(one > other);
      assert.equal(byKey(`a${'0'.repeat(zeros)}${one}.txt`, `a${other}.txt`), expected);
    }),
  );
});

test('keys fit into an index, and have no characters that an engine cannot store', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const key = toSortName(name);
      assert.ok(Buffer.byteLength(key) + Buffer.byteLength(name) < 2_500);
      assert.ok(key.isWellFormed());
      assert.doesNotMatch(key, /\p{Cc}/u);
    }),
  );
  const expanding = toSortName('ﷺ'.repeat(85));
  assert.ok(Buffer.byteLength(expanding) < 2_000);
});

test('the key of a name begins with the sort prefix of every text that the name begins with', () => {
  fc.assert(
    fc.property(anyName, fc.nat(20), (name, length) => {
      const key = toSortName(name);
      for (const form of [foldName(name), toPlainName(name)]) {
        const text = Array.from(form).slice(0, length).join('');
        assert.ok(key.startsWith(toSortPrefix(text)), JSON.stringify([name, text]));
      }
    }),
    { numRuns: 2_000 },
  );
  assert.equal(toSortPrefix('img_1'), toSortName('img_'));
  assert.ok(toSortName('йога').startsWith(toSortPrefix('иога')));
});
