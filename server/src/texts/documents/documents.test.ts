// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  makeEpub,
  makeOpenDocument,
  makePptx,
  relationsPart,
} from '../../../test/support/documents/more-office-files.ts';
import { makeDocx, makeXlsx, paragraph, part, row } from '../../../test/support/documents/office-files.ts';
import { extractText } from '../extract-text.ts';
import { MAX_TEXT_BYTES } from '../text-collector.ts';
import { CellFormats } from './cell-format.ts';

async function textOf(document: Uint8Array): Promise<string> {
  return String(await extractText('archive', Buffer.from(document)));
}

async function assertText(document: Uint8Array, expected: string): Promise<void> {
  assert.equal(await textOf(document), expected);
}

describe('the text of an odt', () => {
  for (const [what, paragraph, expected] of [
    [
      'has footnotes apart from the words before them, without their numbers',
      'The budget<text:note><text:note-citation>1</text:note-citation><text:note-body>' +
        '<text:p>Approved in May</text:p></text:note-body></text:note> was <text:date>2026</text:date>',
      'The budget\nApproved in May\nwas 2026',
    ],
    [
      'has comments without their authors and dates',
      'Contract<office:annotation><dc:creator>Jörg Huber</dc:creator><dc:date>2026-01-02</dc:date>' +
        '<text:p>check this</text:p></office:annotation>or',
      'Contract\ncheck this\nor',
    ],
    [
      'has text boxes apart from the words around them',
      'Before<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>after',
      'Before\nboxed\nafter',
    ],
    [
      'has the alternative texts of pictures',
      'Logo<draw:frame><draw:image/><svg:title>Blue</svg:title><svg:desc>A bird</svg:desc></draw:frame>after',
      'Logo Blue A bird after',
    ],
  ] as const) {
    test(what, () => assertText(makeOpenDocument('text', `<text:p>${paragraph}</text:p>`), expected));
  }
});

describe('the text of a docx', () => {
  test('has text boxes apart from the words before them', async () => {
    const box = '<w:txbxContent><w:p><w:r><w:t>boxed</w:t></w:r></w:p></w:txbxContent>';
    await assertText(
      makeDocx(`<w:p><w:r><w:t>Title</w:t></w:r><w:r>${box}</w:r><w:r><w:t>end</w:t></w:r></w:p>`),
      'Title\nboxed\nend',
    );
  });

  test('has hyphens that do not end a line', async () => {
    await assertText(
      makeDocx('<w:p><w:r><w:t>COVID</w:t><w:noBreakHyphen/><w:t>19</w:t></w:r></w:p>'),
      'COVID-19',
    );
  });

  test('is not lost if a footer is damaged', async () => {
    const links = [
      { id: 'f', type: 'footer', target: 'footer1.xml' },
      { id: 'n', type: 'footnotes', target: 'foot%20notes.xml' },
    ];
    const more = [
      part('word/footer1.xml', `<w:ftr xmlns:w="w">${paragraph('page')}${paragraph('&nbsp;')}</w:ftr>`),
      part('word/foot notes.xml', `<w:footnotes xmlns:w="w">${paragraph('note')}</w:footnotes>`),
    ];
    await assertText(makeDocx(paragraph('body'), links, more), 'body\nnote\npage');
    await assertText(makeDocx('<w:p>&nbsp;</w:p>', links, more), 'damaged');
  });
});

describe('the text of a pptx', () => {
  test('is not lost if a slide is damaged', async () => {
    await assertText(makePptx([{ lines: ['one', '&nbsp;'] }, { lines: ['two'] }]), 'one\ntwo');
    await assertText(makePptx([{ lines: ['&nbsp;'] }]), 'damaged');
  });
});

describe('the text of an epub', () => {
  test('may have entities of HTML in its title', async () => {
    await assertText(
      makeEpub('Caf&eacute;&nbsp;&ndash; &yuml;', [{ name: 'a', page: '<p>b' }]),
      'Café – ÿ\nb',
    );
  });

  test('is not lost if the list of encrypted parts is damaged', async () => {
    const encryption = part('META-INF/encryption.xml', '<encryption>');
    await assertText(makeEpub('Book', [{ name: 'a', page: '<p>b' }], [encryption]), 'Book\nb');
  });
});

describe('the text of an xlsx', () => {
  test('has small sheets after a large one', async () => {
    const rows = Array.from({ length: 6_000 }, (_, index) => row(index + 1, ['words '.repeat(40), index]));
    const comments = [
      relationsPart('xl/worksheets/_rels/sheet2.xml.rels', { c: ['comments', '../comments.xml'] }),
      part('xl/comments.xml', '<comments><comment><text><t>noted</t></text></comment></comments>'),
    ];
    const sheets = { Data: rows.join(''), Summary: row(1, ['total', 4711]), Last: row(1, ['end']) };
    const text = await textOf(makeXlsx(sheets, comments));
    assert.ok(text.startsWith('Data\nwords words'));
    assert.ok(text.endsWith('\nSummary\ntotal 4711\nnoted\nLast\nend'), text.slice(-100));
    assert.ok(text.length > MAX_TEXT_BYTES * 0.95, `${text.length} characters`);
  });

  test('has no escapes, and no pronunciation', async () => {
    const rows = [
      '<row><c t="inlineStr"><is><t>Liefern_x000D_\ntermin _x005F_x000D_</t></is></c></row>',
      '<row><c t="inlineStr"><is><t>東京</t><rPh><t>トウキョウ</t></rPh></is></c>',
      '<c><v>1</v></c></row>',
    ];
    await assertText(makeXlsx({ A: rows.join('') }), 'A\nLiefern\ntermin _x000D_\n東京 1');
  });

  test('is not lost if its styles are damaged', async () => {
    await assertText(makeXlsx({ A: row(1, [5]) }, [part('xl/styles.xml', '<styleSheet>')]), 'A\n5');
  });

  test('has durations in hours, and numbers for dates after the year 9999', () => {
    const formats = new CellFormats(['duration', 'date', 'time'], false);
    assert.equal(formats.show('1.5', 0), '36:00:00');
    assert.equal(formats.show('0.000011574', 0), '0:00:01');
    assert.equal(formats.show('2958465', 1), '9999-12-31');
    assert.equal(formats.show('2958466', 1), '2958466');
    assert.equal(formats.show('1.5', 2), '12:00:00');
    assert.equal(new CellFormats(['date'], true).show('2957004', 0), '2957004');
    assert.equal(new CellFormats(['date'], true).show('2957003', 0), '9999-12-31');
  });
});
