// tier: default
// runs on: sqlite
// runs on, with --full: postgres
// Searches in documents that LibreOffice made: see fixtures/documents/README.md. Both engines have to find
// exactly the same files.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { startHoldall } from '../support/app/holdall.ts';
import { pathsWith, takeTexts, withBrackets } from '../support/content-search/plain-texts.ts';
import { find } from '../support/drive/search.ts';

const DOCUMENTS = path.join(import.meta.dirname, '..', 'fixtures', 'documents');

/** The languages, and the encoding of one letter in each of them. */
const ENCODINGS = {
  arabic: 'windows-1256',
  chinese: 'gb18030',
  english: 'utf-16',
  german: 'windows-1252',
  japanese: 'shift_jis',
} as const;
type Language = keyof typeof ENCODINGS;
const LANGUAGES = Object.keys(ENCODINGS) as readonly Language[];

const NOTES = ['letter.docx', 'letter.epub', 'letter.html', 'letter.odt', 'letter.pdf', 'restricted.pdf'];
/** The files that have a word if it is in … */
const PLACES = {
  letter: [...NOTES, 'letter.txt', 'letter-ENCODING.txt'],
  note: NOTES,
  header: ['letter.docx', 'letter.html', 'letter.odt', 'letter.pdf', 'restricted.pdf'],
  comment: ['letter.docx', 'letter.odt', 'restricted.pdf'],
  // A message has the CSV file as its attachment.
  table: ['message.eml', 'prices.csv', 'prices.ods', 'prices.xlsx'],
  // A CSV file has only the first sheet.
  secondTable: ['prices.ods', 'prices.xlsx'],
  talk: ['talk.odp', 'talk.pptx'],
  message: ['message.eml'],
} as const;
type Place = keyof typeof PLACES;

type Files = readonly string[];
/** Places, or names of files. */
type Places = readonly (Place | `${string}.${string}`)[];

/** The files of a language in these places. */
function files(language: Language, ...places: Places): Files {
  const names = places.flatMap((place): Files => (place in PLACES ? PLACES[place as Place] : [place]));
  return names
    .filter((name) => name !== 'restricted.pdf' || language === 'english')
    .map((name) => `/${language}/${name.replace('ENCODING', ENCODINGS[language])}`);
}

const english = (...places: Places) => files('english', ...places);
const german = (...places: Places) => files('german', ...places);
const chinese = (...places: Places) => files('chinese', ...places);
const japanese = (...places: Places) => files('japanese', ...places);
const arabic = (...places: Places) => files('arabic', ...places);
const all = (...places: readonly Place[]) => LANGUAGES.flatMap((language) => files(language, ...places));
const without = (list: Files, ...names: Files) => list.filter((file) => !names.includes(path.basename(file)));

/** Searches, and exactly the files that they find. */
const SEARCHES: readonly (readonly [q: string, found: Files])[] = [
  ['pelagia', all('letter', 'table', 'talk')],
  ['Pelagia 7391', all('letter')],
  ['example.org', all('message')],
  // Only LibreOffice wrote them, or the password was this word.
  ['page', []],
  ['secret', []],
  ['zeppelin', []],

  ['lighthouse', english('letter')],
  ['lighthous', []],
  ['CREME brulee', english('letter')],
  ['unbreakable', english('letter')],
  ['eleanor 1987', english('letter')],
  ['4,318', english('letter')],
  ['zoe', english('letter', 'message')],
  ['puffins', english('letter')],
  ['puffin', english('table')],
  // At the end of a line in a PDF, the hyphen could also divide a word.
  ['well-thumbed', without(english('letter'), 'letter.pdf', 'restricted.pdf')],
  ['wellthumbed', english('letter.pdf', 'restricted.pdf')],
  ['the lies', english('note')],
  ['archive burnt', english('note')],
  ['letters', english('header')],
  ['curator', english('comment')],
  ['notebook', english('letter', 'secondTable', 'talk')],
  ['ladder 70512', english('table')],
  ['ladder 2.4.2026', without(english('table'), 'prices.xlsx')],
  ['2026-04-02', english('prices.xlsx')],
  ['shovel winter', english('secondTable')],
  ['gale 1953', english('talk')],
  ['notebook season', english('talk')],
  ['jetty saint-eloi', english('message')],
  ['timetable', english('message')],
  ['lighthouse ferry', []],

  ['Straßenbahnhaltestelle', german('letter')],
  ['STRASSENBAHNHALTESTELLE', german('letter')],
  ['haltestelle', []],
  ['mockel-ozdemir', german('letter')],
  ['wasserschutzgebietsverordnung', german('letter')],
  ['fussballübertragung', german('letter')],
  ['Größe'.normalize('NFD'), german('letter', 'talk')],
  ['große süße', german('letter')],
  ['gramm 412', german('note')],
  ['verein', german('comment')],
  ['holunderblutensirup', german('table')],
  ['einmachgläser 61208', german('table')],
  ['schubkarre', german('secondTable')],
  ['hagel', german('talk')],
  ['WÜHLMÄUSE knoblauch', german('talk')],
  ['görlitz kartoffelsalat', german('message')],
  ['weissmuller', german('message')],

  ['茶', chinese('letter', 'table')],
  ['茶园', chinese('letter')],
  ['云南', chinese('letter')],
  ['乌龙茶', chinese('letter')],
  // Both halves are in the letter, but not next to each other.
  ['龙茶树', []],
  ['茶云', []],
  ['山坡上种下了三千', chinese('letter')],
  ['虫害情况', chinese('letter')],
  ['4G信号', chinese('letter')],
  ['４Ｇ', chinese('letter')],
  ['陈雅琴', chinese('letter', 'message')],
  ['十二户', chinese('note')],
  ['产量', chinese('comment')],
  ['茉莉花茶', chinese('table')],
  ['铁观音 普洱', chinese('table')],
  ['烘干机', chinese('secondTable')],
  ['干', chinese('secondTable', 'talk')],
  ['采摘 干旱', chinese('talk')],
  ['火锅店', chinese('message')],

  ['灯台守', japanese('letter')],
  ['佐々木', japanese('letter', 'message')],
  ['ﾗｼﾞｵ', japanese('letter')],
  ['らじお', []],
  ['カモメ', japanese('letter')],
  ['霧', japanese('letter', 'talk')],
  ['霧笛', japanese('letter')],
  ['海鳥を数えた', japanese('letter')],
  // In a PDF, the pronunciation above a word is a word of its own.
  ['とうだいもり', japanese('letter.pdf')],
  ['資料館', japanese('note')],
  ['年代', japanese('comment')],
  ['四千', japanese('letter', 'message')],
  ['懐中電灯', japanese('table')],
  ['毛布', japanese('secondTable')],
  ['バロメーター', japanese('talk')],
  ['居酒屋 同窓会', japanese('message')],

  ['الميناء', arabic('letter')],
  ['كتبت', arabic('letter')],
  ['أسماء الطيور', arabic('letter')],
  ['اسماء الطيور', arabic('letter')],
  ['دَفتَر', arabic('letter')],
  ['تقرأ القصائد', arabic('letter')],
  ['بالنعناع', arabic('letter')],
  ['زرعت 1995', arabic('letter')],
  ['الحداد', arabic('letter', 'message')],
  // This font does not say in which order the letters of its ligature are.
  ['لأحفادها', without(arabic('letter'), 'letter.pdf')],
  ['الدفتر محفوظ', arabic('note')],
  ['أمين', arabic('comment')],
  ['صابون', arabic('table')],
  ['مقصات', arabic('secondTable')],
  ['عاصفة', arabic('talk')],
  ['الشاطئ', arabic('message')],
];

/** Searches, and the files of a language in the order of their relevance. */
const ORDERS: readonly (readonly [q: string, language: Language, found: readonly string[]])[] = [
  // Letters with notes have the word often. Shorter documents come first, then newer ones.
  [
    'notebook',
    'english',
    [
      ...['restricted.pdf', 'letter.pdf', 'letter.odt', 'letter.html', 'letter.epub', 'letter.docx'],
      ...['talk.pptx', 'talk.odp', 'prices.xlsx', 'prices.ods', 'letter.txt', 'letter-utf-16.txt'],
    ],
  ],
  [
    'größe',
    'german',
    [
      ...['talk.pptx', 'talk.odp', 'letter.txt', 'letter-windows-1252.txt', 'letter.pdf', 'letter.odt'],
      ...['letter.html', 'letter.epub', 'letter.docx'],
    ],
  ],
  [
    '四千',
    'japanese',
    [
      ...['message.eml', 'letter.txt', 'letter.pdf', 'letter.odt', 'letter.html', 'letter.epub'],
      ...['letter.docx', 'letter-shift_jis.txt'],
    ],
  ],
];

const WITHOUT_TEXT: Readonly<Record<string, string>> = {
  '/english/encrypted.docx': 'encrypted',
  '/english/encrypted.odt': 'encrypted',
  '/english/encrypted.pdf': 'encrypted',
  '/english/old.doc': 'unknown-type',
  '/english/old.xls': 'unknown-type',
};

const holdall = await startHoldall();
const alice = await holdall.register('alice');
const paths = LANGUAGES.flatMap((language) =>
  readdirSync(path.join(DOCUMENTS, language))
    .sort()
    .map((name) => `/${language}/${name}`),
);

const ids = new Map<string, number>();

describe('documents that LibreOffice made', () => {
  before(async () => {
    for (const file of paths) {
      const { id } = await alice.upload(file, readFileSync(path.join(DOCUMENTS, file)));
      ids.set(file, id);
    }
    await takeTexts(holdall);
  });

  test('have a text, except encrypted ones and those of old programs', async () => {
    const { db } = holdall.app.database;
    const reasonOf = async (file: string) => {
      const query = db.selectFrom('entry').innerJoin('text_queue', 'text_queue.blob_id', 'entry.blob_id');
      return await query
        .select(['state', 'reason'])
        .where('entry.id', '=', ids.get(file) ?? 0)
        .executeTakeFirstOrThrow();
    };
    for (const file of paths) {
      const reason = WITHOUT_TEXT[file];
      const expected =
        reason === undefined ? { state: 'INDEXED', reason: null } : { state: 'WITHOUT_TEXT', reason };
      assert.deepEqual(await reasonOf(file), expected, file);
    }
  });

  for (const [q, found] of SEARCHES) {
    test(`are found by ${JSON.stringify(q)} in ${found.length} files`, async () => {
      const { items, total } = await find(alice, { in: 'content', q, size: 100 });
      assert.deepEqual(items.map((item) => item.path).sort(), found.toSorted());
      assert.equal(total, found.length);
      for (const { path: file, snippet } of items) {
        const hits = [...(withBrackets(snippet)?.matchAll(/\[(.*?)\]/g) ?? [])].map(([, hit = '']) => hit);
        assert.ok(hits.length > 0, file);
        for (const hit of hits) assert.ok(fold(q).includes(fold(hit) || '?'), `${file}: ${snippet}`);
      }
    });
  }

  for (const [q, language, found] of ORDERS) {
    test(`are in the order of their relevance to ${JSON.stringify(q)}`, async () =>
      assert.deepEqual(
        await pathsWith(alice, q),
        found.map((name) => `/${language}/${name}`),
      ));
  }
});

/** Independent of the code of the search. */
function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}\u0640\s]/gu, '');
  return plain.toLowerCase().replaceAll('ß', 'ss');
}
