// tier: default
// runs on: sqlite, postgres
// What is found by the words in texts, and in which order. The texts are taken without child processes.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../tools/testing/tiers.ts';
import { startHoldall } from '../support/app/holdall.ts';
import type { Person } from '../support/app/person.ts';
import { checkBooks } from '../support/checks/books.ts';
import { searchDirectly } from '../support/content-search/direct-search.ts';
import { PlainTexts, pathsWith, takeTexts, withBrackets } from '../support/content-search/plain-texts.ts';
import { find } from '../support/drive/search.ts';

const holdall = await startHoldall({
  env: { HOLDALL_DEFAULT_DIRECTORIES: 'start' },
  extraction: new PlainTexts(),
});

const CORPUS = {
  'en.txt': 'The annual report covers tax-free income. It does not cover résumés.',
  'de.txt': 'Die Straße nach Köln ist gesperrt; der Jahresbericht folgt.',
  'zh.txt': '本公司年度\n报告已经发布。',
  'zh-apart.txt': '年度计划。度报。报告。',
  'ja.txt': '東京タワーのガイドブックを読む。',
  'ko.txt': '한국어로 쓴 보고서',
  'ar.txt': 'تقرير السنة المالية',
  'th.txt': 'รายงานประจำปีของบริษัท',
} as const;

async function fill(person: Person, texts: Readonly<Record<string, string>>): Promise<Person> {
  for (const [name, text] of Object.entries(texts)) await person.upload(`/${name}`, text, 'text/plain');
  await takeTexts(holdall);
  return person;
}

const reader = await fill(await holdall.register('reader'), CORPUS);

describe('a search in content', () => {
  for (const [q, names] of [
    ['annual', ['en']],
    ['REPORT annual', ['en']],
    ['report missing', []],
    ['annu', []],
    ['tax-free', ['en']],
    ['free tax', ['en']],
    ['resume', []],
    ['resumes', ['en']],
    ['strasse koln', ['de']],
    ['Köln', ['de']],
    ['bericht', []],
    ['年度报告', ['zh']],
    ['年度', ['zh-apart', 'zh']],
    ['报', ['zh-apart', 'zh']],
    ['告', ['zh-apart', 'zh']],
    ['度报告', ['zh']],
    ['报告 计划', ['zh-apart']],
    ['ガイド', ['ja']],
    ['ｶﾞｲﾄﾞ', ['ja']],
    ['カイド', []],
    ['東京', ['ja']],
    ['京都', []],
    ['보고서', ['ko']],
    ['국어', ['ko']],
    ['السنة', ['ar']],
    ['تَقْرِير', ['ar']],
    ['ประจำปี', ['th']],
    ['"annual"', ['en']],
    ['annual*', ['en']],
    ['annual AND report', []],
    ['--', []],
    ["'", []],
    ['\\', []],
  ] as const) {
    test(`finds ${JSON.stringify(q)} in ${names.join(', ') || 'no text'}`, async () =>
      assert.deepEqual(
        await pathsWith(reader, q),
        names.map((name) => `/${name}.txt`),
      ));
  }

  test('shows the passage with the words', async () => {
    const snippetOf = async (q: string) => {
      const [first] = (await find(reader, { in: 'content', q })).items;
      return withBrackets(first?.snippet);
    };
    const english = 'The [annual] report covers tax-free [income]. It does not cover résumés.';
    assert.equal(await snippetOf('annual income'), english);
    assert.equal(await snippetOf('年度报告'), '本公司[年度 报告]已经发布。');
  });

  test('meets all other conditions as well', async () => {
    const carol = await fill(await holdall.register('carol'), { 'a.txt': 'word', 'b.md': 'word word word' });
    await carol.upload('/deep/er/c.txt', 'a word', 'text/plain');
    await takeTexts(holdall);
    assert.deepEqual(await pathsWith(carol, 'word', { under: '/deep' }), ['/deep/er/c.txt']);
    assert.deepEqual(await pathsWith(carol, 'word', { maxSize: 4 }), ['/a.txt']);
    assert.deepEqual(await pathsWith(carol, 'word', { name: '.md' }), ['/b.md']);
    assert.deepEqual(await pathsWith(carol, 'word', { type: 'directory' }), []);
    assert.deepEqual(await pathsWith(carol, 'word', { kind: 'IMAGE' }), []);
    await carol.refused(404, 2404, 'GET', '/api/v2/files/search?in=content&q=word&under=/none');
  });

  test('has pages with a total', async () => {
    const texts = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}`, 'equal words']));
    const dave = await fill(await holdall.register('dave'), texts);
    const pages = await Promise.all(
      [0, 1, 2, 3].map((page) => find(dave, { in: 'content', q: 'words', page, size: 2, sort: 'name' })),
    );
    assert.deepEqual(
      pages.map(({ items, total }) => [...items.map(({ filename }) => filename), total]),
      [['0', '1', 5], ['2', '3', 5], ['4', 5], [5]],
    );
    assert.equal((await find(dave, { in: 'content', q: 'words', size: 1_000 })).size, 100);
  });

  test('needs words, of which there may be 16', async () => {
    for (const query of ['', '&q=', '&q=%20']) {
      await reader.refused(400, 2400, 'GET', `/api/v2/files/search?in=content${query}`);
    }
    const words = Array.from({ length: 17 }, (_, index) => `w${index}`).join('+');
    for (const place of ['content', 'all']) {
      await reader.refused(400, 2400, 'GET', `/api/v2/files/search?in=${place}&q=${words}`);
    }
    await reader.refused(400, 2400, 'GET', '/api/v2/files/search?in=everything&q=word');
    assert.deepEqual(await pathsWith(reader, 'x'.repeat(1_000)), []);
    assert.deepEqual(await pathsWith(reader, '年'.repeat(1_000)), []);
  });
});

describe('the order of matches', () => {
  test('is by relevance, then the newest first', async () => {
    const filler = 'filler '.repeat(3_000);
    const erin = await fill(await holdall.register('erin'), {
      'long.txt': `${filler} needle`,
      'old.txt': 'needle one',
      'new.txt': 'needle two',
      'often.txt': 'needle needle needle needle needle',
    });
    const order = ['/often.txt', '/new.txt', '/old.txt', '/long.txt'];
    assert.deepEqual(await pathsWith(erin, 'needle'), order);
    assert.deepEqual(await pathsWith(erin, 'needle', { in: 'all' }), order);
  });

  test('is another one on request', async () => {
    const frank = await fill(await holdall.register('frank'), { 'file 10': 'w', 'file 2': 'w w w w' });
    const orders: readonly (readonly [Readonly<Record<string, string>>, readonly string[]])[] = [
      [{ sort: 'name' }, ['/file 2', '/file 10']],
      [{ sort: 'name', order: 'desc' }, ['/file 10', '/file 2']],
      [{ sort: 'size' }, ['/file 10', '/file 2']],
      [{ sort: 'createdAt', order: 'desc' }, ['/file 2', '/file 10']],
      [{ order: 'desc' }, ['/file 10', '/file 2']],
    ];
    for (const [more, expected] of orders) {
      assert.deepEqual(await pathsWith(frank, 'w', more), expected, JSON.stringify(more));
    }
    await frank.mkdir('/w');
    assert.deepEqual(await pathsWith(frank, 'w', { in: 'all', order: 'asc' }), ['/w', '/file 2', '/file 10']);
  });
});

describe('a search in names and content', () => {
  test('finds each word in the name or in the text', async () => {
    const grace = await fill(await holdall.register('grace'), {
      'lease Berlin.txt': 'signed in spring',
      'other.txt': 'lease of a flat in Berlin',
      'lease.txt': 'nothing',
    });
    await grace.mkdir('/leases in Berlin');
    const all = (q: string) => pathsWith(grace, q, { in: 'all' });
    // A word in the name counts for more, and the directory is the newest.
    const found = ['/leases in Berlin', '/lease Berlin.txt', '/other.txt'];
    assert.deepEqual(await all('berlin lease'), found);
    assert.deepEqual(await all('berlin signed'), ['/lease Berlin.txt']);
    assert.deepEqual(await all('lea nothing'), ['/lease.txt']);
    assert.deepEqual(await all('spring flat'), []);
  });

  test('ignores words of punctuation beside others', async () => {
    const gina = await fill(await holdall.register('gina'), { 'a.txt': 'R and D', 'R & D.txt': 'x' });
    for (const q of ['R & D', 'R – D']) {
      assert.deepEqual((await pathsWith(gina, q, { in: 'all' })).toSorted(), ['/R & D.txt', '/a.txt']);
    }
    assert.deepEqual(await pathsWith(gina, '&', { in: 'all' }), ['/R & D.txt']);
  });

  test('has a snippet only if the text has something of the search', async () => {
    const heidi = await fill(await holdall.register('heidi'), { 'tax.txt': 'of 2026', 'b.txt': 'the tax' });
    const { items } = await find(heidi, { in: 'all', q: 'tax' });
    assert.deepEqual(
      items.map(({ path, snippet }) => [path, withBrackets(snippet)]),
      [
        ['/tax.txt', null],
        ['/b.txt', 'the [tax]'],
      ],
    );
    const both = await find(heidi, { in: 'all', q: 'tax 2026' });
    assert.deepEqual(
      both.items.map(({ snippet }) => withBrackets(snippet)),
      ['of [2026]'],
    );
  });

  test('finds what a search in names finds, as long as it has no words', async () => {
    const ivan = await fill(await holdall.register('ivan'), { 'a.txt': 'text' });
    const [byName, inAll] = [await find(ivan, { name: 'a.' }), await find(ivan, { name: 'a.', in: 'all' })];
    assert.deepEqual(inAll, { ...byName, items: byName.items.map((item) => ({ ...item, snippet: null })) });
    assert.equal('snippet' in (byName.items[0] ?? assert.fail()), false);
  });
});

test('only the newest of many texts are found, and only the first are compared with a phrase', async () => {
  const judy = await fill(await holdall.register('judy'), {
    a: '年度报告',
    b: '年度。度报。报告',
    c: '年度。度报。报告',
    d: '年度报告',
    e: '年度报告',
  });
  const listNames = async (limits: { maxMatches?: number; maxCompared?: number }, size = 10) => {
    const names: string[] = [];
    const totals = new Set<number>();
    const order = { sort: 'name', direction: 'asc' } as const;
    for (let page = 0; page * size < 5; page += 1) {
      const found = await searchDirectly(holdall, judy, { q: '年度报告', order, page, size, limits });
      names.push(...found.names);
      totals.add(found.total);
    }
    return `${names.join('')} ${[...totals].join()}`;
  };
  assert.equal(await listNames({}), 'ade 3');
  for (const size of [1, 2, 3, 10]) {
    assert.equal(await listNames({ maxCompared: 2 }, size), 'acde 4', `pages of ${size}`);
    assert.equal(await listNames({ maxCompared: 3 }, size), 'ade 3', `pages of ${size}`);
  }
  assert.equal(await listNames({ maxMatches: 2 }), 'de 2');
});

test('of copies of the oldest text within the limit, the newest are found', async () => {
  const ken = await fill(await holdall.register('ken'), { a: 'copied' });
  const [file] = (await find(ken, { name: 'a' })).items;
  for (const to of ['/b', '/c']) {
    await ken.mkdir(to);
    await ken.copy(file ?? assert.fail(), to);
  }
  await fill(ken, { new: 'copied later' });
  const { items } = await find(ken, { in: 'content', q: 'copied' });
  const newest = items.toSorted((one, other) => other.id - one.id).slice(0, 3);
  const limits = { maxMatches: 3, maxFewEntries: 0 };
  const found = await searchDirectly(holdall, ken, { q: 'copied', limits });
  assert.equal(found.total, 3);
  assert.deepEqual(found.names.toSorted(), newest.map(({ filename }) => filename).toSorted());
});

test('files of others do not change the order', async () => {
  const [lara, others] = [await holdall.register('lara'), await holdall.register('others')];
  await fill(lara, { often: 'ranked '.repeat(4), once: 'ranked' });
  await fill(others, { 1: 'ranked '.repeat(4), 2: 'ranked '.repeat(5), 3: 'ranked '.repeat(6) });
  for (const limits of [{ hitsPerLookup: 0 }, { maxFewEntries: 0 }]) {
    const { names } = await searchDirectly(holdall, lara, {
      q: 'ranked',
      limits: { maxMatches: 2, ...limits },
    });
    assert.deepEqual(names, ['often', 'once']);
  }
});

test('the order of many matches is the same', inFull, async () => {
  const texts = Array.from({ length: 510 }, (_, index) => [`${index}`, 'many '.repeat(1 + (index % 5))]);
  const mona = await fill(await holdall.register('mona'), Object.fromEntries(texts));
  const { names, total } = await searchDirectly(holdall, mona, { q: 'many', size: 100 });
  const often = texts.filter(([, text]) => (text ?? '').length >= 4 * 5).map(([name]) => name);
  assert.equal(total, texts.length);
  assert.deepEqual(names, often.toReversed().slice(0, 100));
});

test('a search has a limited number of terms, and repeated ones count once', async () => {
  const parts = Array.from({ length: 65 }, (_, index) => `t${index}`);
  for (const place of ['content', 'all']) {
    await reader.refused(400, 2400, 'GET', `/api/v2/files/search?in=${place}&q=${parts.join('-')}`);
  }
  assert.deepEqual(await pathsWith(reader, parts.slice(1).join('-')), []);
  assert.deepEqual(await pathsWith(reader, 'annual-report-'.repeat(60)), ['/en.txt']);
  // A phrase of many sentences has too many pairs, but can be looked for with fewer.
  assert.deepEqual(await pathsWith(reader, '本公司年度报告已经发布。'.repeat(30)), ['/zh.txt']);
});

test('a damaged text is found, and hides no others', async () => {
  const nina = await fill(await holdall.register('nina'), { good: '完整的文件', bad: '完整的文件' });
  const [bad] = (await find(nina, { name: 'bad' })).items;
  const damaged = new Uint8Array([1, 2, 3]);
  const { database } = holdall.app;
  await database.transact(async (tx) => {
    const { blob_id } = await tx
      .selectFrom('entry')
      .select('blob_id')
      .where('id', '=', bad?.id ?? 0)
      .executeTakeFirstOrThrow();
    await tx.updateTable('blob_text').set({ text: damaged }).where('blob_id', '=', blob_id).execute();
  });
  const { items } = await find(nina, { in: 'content', q: '完整的' });
  assert.deepEqual(
    items.map(({ filename, snippet }) => [filename, withBrackets(snippet)]),
    [
      ['bad', null],
      ['good', '[完整的]文件'],
    ],
  );
});

test('searching changes nothing', () => checkBooks(holdall));
