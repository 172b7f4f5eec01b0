// tier: default
// The same sentences in every format and in five scripts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import {
  makeEpub,
  makeOpenDocument,
  makePptx,
  relationsPart,
} from '../../test/support/documents/more-office-files.ts';
import {
  linkTo,
  makeDocx,
  makeReport,
  makeXlsx,
  paragraph,
  part,
  row,
} from '../../test/support/documents/office-files.ts';
import { ENCRYPTED, linePage, makePdf } from '../../test/support/documents/pdf-files.ts';
import { makeUnicodePdf } from '../../test/support/documents/unicode-pdf.ts';
import { forgeZip } from '../../test/support/zip/zip-forge.ts';
import { extractText } from './extract-text.ts';
import type { FormatName } from './formats.ts';

const LINES: Readonly<Record<string, readonly [string, string]>> = {
  English: ['The invoice is due in May.', 'Second page about apples'],
  German: ['Die Prüfung der Größe', 'Zweite Seite über Äpfel'],
  Chinese: ['二〇二六年度财务预算', '请查收会议记录'],
  Japanese: ['会議の資料です', '新しいフォルダー'],
  Arabic: ['مرحبا بكم', 'تقرير المشروع'],
};

type Lines = readonly [first: string, second: string];

const sheetRow = (texts: readonly string[]) =>
  `<table:table-row>${texts.map((text) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`).join('')}</table:table-row>`;
const page = (text: string) => `<html><head><title/></head><body><p>${text}</p></body></html>`;

/** Documents with two lines. Both are in the text, in this order. */
const DOCUMENTS: Readonly<Record<string, readonly [FormatName, (lines: Lines) => string | Uint8Array]>> = {
  'a plain text': ['text', (lines) => lines.join('\n')],
  'an HTML page': ['html', ([a, b]) => `<meta charset=utf-8><h1>${a}</h1><p>${b}`],
  'a docx': ['archive', ([a, b]) => makeDocx(paragraph(a) + paragraph(b))],
  'an xlsx': ['archive', ([a, b]) => makeXlsx({ Sheet: row(1, [a]) + row(2, [b]) })],
  'a pptx': ['archive', ([a, b]) => makePptx([{ lines: [a] }, { lines: [b] }])],
  'an odt': ['archive', ([a, b]) => makeOpenDocument('text', `<text:h>${a}</text:h><text:p>${b}</text:p>`)],
  'an ods': [
    'archive',
    ([a, b]) =>
      makeOpenDocument('spreadsheet', `<table:table>${sheetRow([a])}${sheetRow([b])}</table:table>`),
  ],
  'an odp': [
    'archive',
    ([a, b]) =>
      makeOpenDocument('presentation', `<draw:page><text:p>${a}</text:p><text:p>${b}</text:p></draw:page>`),
  ],
  'an epub': [
    'archive',
    ([a, b]) =>
      makeEpub('Book', [
        { name: 'z ä', page: page(a) },
        { name: 'a', page: page(b) },
      ]),
  ],
  'a message': [
    'email',
    ([a, b]) => `From: a@b.de\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${a}\n${b}`,
  ],
  'a PDF': [
    'pdf',
    (lines) =>
      makeUnicodePdf({ pages: lines.map((line) => [/^[\u0600-\u06ff]/.test(line) ? mirrored(line) : line]) }),
  ],
};

/** PDFs have the letters in the order in which they are drawn, from left to right. */
function mirrored(text: string): string {
  return [...text].reverse().join('');
}

async function textOf(format: FormatName, file: string | Uint8Array): Promise<string> {
  const found = await extractText(format, Buffer.from(file));
  return typeof found === 'string' ? `no text: ${found}` : found.toString();
}

for (const [what, [format, make]] of Object.entries(DOCUMENTS)) {
  test(`${what} yields its lines in order, in every script`, async () => {
    for (const [language, lines] of Object.entries(LINES)) {
      const text = await textOf(format, make(lines as Lines));
      assert.ok(text.includes(lines.join('\n')), `${language}: ${text}`);
    }
  });
}

describe('the text', () => {
  const contains = async (format: FormatName, file: string | Uint8Array, expected: string) =>
    assert.equal(await textOf(format, file), expected);

  test('of a docx has tables by row, without the copies for old programs and deleted text', async () => {
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
    const body = [
      `<w:tbl><w:tr>${cell('a')}${cell('b')}</w:tr><w:tr>${cell('c')}</w:tr></w:tbl>`,
      '<w:p><w:r><w:t>one</w:t><w:tab/><w:t>two</w:t><w:br/><w:t>three</w:t><w:delText>no</w:delText></w:r></w:p>',
      '<w:p><mc:AlternateContent xmlns:mc="m"><mc:Choice><w:t>box</w:t></mc:Choice>',
      '<mc:Fallback><w:t>box</w:t></mc:Fallback></mc:AlternateContent></w:p>',
      '<w:p><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r></w:rubyBase></w:ruby></w:p>',
    ].join('');
    await contains('archive', makeDocx(body), 'a b\nc\none two\nthree\nbox\n東');
  });

  test('of a docx has notes, headers and the words of links, but nothing from outside', async () => {
    const links = [
      { id: 'n', type: 'footnotes', target: 'footnotes.xml' },
      { id: 'h', type: 'header', target: '/word/header1.xml' },
      { id: 'x', type: 'footer', target: 'file:///etc/passwd', isExternal: true },
    ];
    const more = [
      part('word/footnotes.xml', `<w:footnotes xmlns:w="w">${paragraph('note')}</w:footnotes>`),
      part('word/header1.xml', `<w:hdr xmlns:w="w">${paragraph('head')}</w:hdr>`),
    ];
    await contains('archive', makeDocx(linkTo('x', 'link'), links, more), 'link\nnote\nhead');
  });

  test('of an xlsx has sheet names, shared texts, and numbers as they are shown', async () => {
    const cells = [
      '<c r="A1" t="s"><v>1</v></c><c r="B1" s="1"><v>45123</v></c><c r="C1"><v>0.30000000000000004</v></c>',
      '<c r="D1" t="b"><v>1</v></c><c r="E1" t="str"><f>A1&amp;"no"</f><v>made</v></c><c r="F1" t="e"><v>#REF!</v></c>',
    ];
    const shared =
      '<sst><si><t>unused</t></si><si><r><t>Grö</t></r><r><t>ße</t></r><rPh><t>no</t></rPh></si></sst>';
    const relations = relationsPart('xl/_rels/workbook.xml.rels', {
      s1: ['worksheet', 'worksheets/sheet1.xml'],
      s2: ['styles', 'styles.xml'],
      s3: ['sharedStrings', 'sharedStrings.xml'],
    });
    // The last part with a name counts.
    const file = makeXlsx({ Blatt: `<row r="1">${cells.join('')}</row>` }, [
      part('xl/sharedStrings.xml', shared),
      relations,
    ]);
    await contains('archive', file, 'Blatt\nGröße 2023-07-16 0.3 TRUE made\nunused');
  });

  test('of an xlsx with many rows keeps the shared texts that only later rows have', async () => {
    const rows = '<row><c t="s"><v>0</v></c></row>'.repeat(60_000);
    const relations = relationsPart('xl/_rels/workbook.xml.rels', {
      s1: ['worksheet', 'worksheets/sheet1.xml'],
      s3: ['sharedStrings', 'sharedStrings.xml'],
    });
    const shared = part(
      'xl/sharedStrings.xml',
      '<sst><si><t>the same as ever</t></si><si><t>rare</t></si></sst>',
    );
    const text = await textOf('archive', makeXlsx({ A: rows }, [shared, relations]));
    assert.ok(text.startsWith('A\nthe same as ever\nthe same'));
    assert.ok(text.endsWith('ever\nrare'));
  });

  test('of a workbook from a reporting tool is found by its relations', async () => {
    await contains('archive', makeReport(row(1, ['x', 12])), 'Hidden\nx 12\nShown\nx 12');
  });

  test('of a pptx has the slides in their order, with their notes', async () => {
    const slides = [{ lines: ['one', 'two'], notes: 'say it' }, { lines: ['three'] }];
    await contains('archive', makePptx(slides), 'one\ntwo\nsay it\nthree');
  });

  test('of OpenDocument files has sheet names, rows, headers, and no deleted text', async () => {
    const table = `<table:table table:name="Blatt">${sheetRow(['a', 'b<text:s/>c'])}</table:table>`;
    await contains('archive', makeOpenDocument('spreadsheet', table), 'Blatt\na b c');
    const header = part(
      'styles.xml',
      '<style:header xmlns:style="s" xmlns:text="t"><text:p>head</text:p></style:header>',
    );
    const body = `<text:tracked-changes><text:p>no</text:p></text:tracked-changes><text:p>a<text:line-break/>b</text:p>`;
    await contains('archive', makeOpenDocument('text', body, [header]), 'a\nb\nhead');
    await contains('archive', makeOpenDocument('spreadsheet', table, [header]), 'Blatt\na b c');
  });

  test('of an HTML page has no scripts, styles and comments, and separates blocks and cells', async () => {
    const html =
      '<title>T&auml;</title><style>no</style><script>no()</script><!-- no --><p>a<b>b</b>\nc<div>d<table><tr><td>e<td>f' +
      '</table><img alt="picture" src=x><ruby>東<rp>(</rp><rt>とう</rt></ruby>京<pre>g\nh</pre>';
    await contains('html', html, 'Tä\nab c\nd\ne f\npicture\n東京\ng\nh'.replace('picture\n', 'picture '));
  });

  test('of an HTML page has words without the numbers of notes', async () => {
    const html =
      '<p>oil<a href=#a><sup>1</sup></a> lamp<sup><a href=#b>2</a></sup>s</p><p>x<sup>2</sup> H<a href=c>ol</a>d' +
      '<p><a class=sdfootnotesym href=#d>3</a>The end';
    await contains('html', html, 'oil 1 lamp 2 s\nx2 Hold\n3 The end');
  });

  test('of an HTML page has no spaces for line breaks within Chinese and Japanese', async () => {
    await contains(
      'html',
      '<meta charset=utf-8><p>财务预\n  算，\n终稿 a\n是\r\nテ\nスト 한\n글',
      '财务预算，终稿 a 是テスト 한 글',
    );
  });

  test('of an HTML page is in its declared encoding', async () => {
    const bytes = Buffer.concat([Buffer.from('<meta charset="windows-1251"><p>'), Buffer.from([0xcf, 0xf0])]);
    await contains('html', bytes, 'Пр');
  });

  test('of a PDF joins divided words, and has Chinese from fonts that are not in the file', async () => {
    const divided = { pages: [['Donau-', 'dampf', 'Rhine-', 'Main', 'e\ufb03cient']] };
    await contains('pdf', makeUnicodePdf(divided), 'Donaudampf\nRhine-\nMain\nefficient');
    const chinese = { content: 'BT /Chinese 24 Tf 72 720 Td <c4e3bac3> Tj ET' };
    await contains('pdf', makePdf([linePage('Hello'), chinese]), 'Hello\n你好');
  });

  test('of a message has the subject, people, body, and names and texts of attachments', async () => {
    const inner = 'From: inner@b.de\r\nSubject: Inner\r\n\r\ninner text';
    const parts = [
      'Content-Type: text/html; charset=utf-8\r\n\r\n<p>Hal<i>lo</i></p><script>no</script>',
      'Content-Type: text/csv\r\nContent-Disposition: attachment; filename=list.csv\r\n\r\none;two',
      'Content-Type: image/png\r\nContent-Disposition: attachment; filename="=?utf-8?q?Gr=C3=B6=C3=9Fe?=.png"\r\n\r\nno',
      `Content-Type: message/rfc822\r\n\r\n${inner}`,
    ];
    const mail = `From: =?utf-8?q?J=C3=B6rg?= <j@b.de>\r\nTo: c@b.de\r\nSubject: =?utf-8?B?5Lya6K6u?=\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n${parts.map((each) => `--q\r\n${each}\r\n`).join('')}--q--\r\n`;
    const text = await textOf('email', mail);
    for (const expected of [
      '会议\nJörg j@b.de\nc@b.de\n',
      'Hallo',
      'list.csv\none;two',
      'Größe.png',
      'inner text',
    ])
      assert.ok(text.includes(expected), `${expected} is missing: ${text}`);
    assert.ok(!/no\b/.test(text), text);
  });

  test('of a message is right although its encoding is not declared', async () => {
    const head = 'From: a@b.de\r\nSubject: Hi\r\n';
    const chinese = '二〇二六年度财务预算（终稿），请查收';
    const bodies = {
      [chinese]: iconv.encode(chinese, 'gb18030'),
      'Grüße an Müller': iconv.encode('Grüße an Müller', 'windows-1252'),
    };
    for (const [text, body] of Object.entries(bodies)) {
      const plain = Buffer.concat([Buffer.from(`${head}\r\n`), body]);
      await contains('email', plain, `Hi\na@b.de\n${text}`);
      const encoded = `${head}Content-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
      await contains('email', encoded + body.toString('base64'), `Hi\na@b.de\n${text}`);
    }
  });

  test('of attached texts is in the encoding that the message declares', async () => {
    const attached = 'Content-Type: text/plain; charset=iso-8859-2\r\nContent-Disposition: attachment';
    const mail = Buffer.concat([
      Buffer.from('From: a@b.de\r\nContent-Type: multipart/mixed; boundary=q\r\n\r\n'),
      Buffer.from(`--q\r\n${attached}\r\n\r\n`),
      iconv.encode('Převod', 'iso-8859-2'),
      Buffer.from('\r\n--q--\r\n'),
    ]);
    await contains('email', mail, 'a@b.de\nPřevod');
  });

  test('of a mailbox file has all messages', async () => {
    const message = (subject: string) =>
      `From a@b Thu Jan  1 10:00:00 2026\nSubject: ${subject}\nContent-Type: multipart/mixed; boundary=q\n\n` +
      `--q\n\nFrom my desk: ${subject} text\n--q--\n\n`;
    const text = 'One\nFrom my desk: One text\nTwo\nFrom my desk: Two text';
    await contains('email', message('One') + message('Two'), text);
  });
});

describe('a file without text', () => {
  const encryptedBook = part(
    'META-INF/encryption.xml',
    '<encryption><CipherReference URI="book/text/a.xhtml"/></encryption>',
  );
  const manifest = part('META-INF/manifest.xml', '<manifest><encryption-data/></manifest>');
  for (const [what, format, file, reason] of [
    ['an encrypted PDF', 'pdf', makePdf([linePage('x')], ENCRYPTED), 'encrypted'],
    ['an encrypted ZIP entry', 'archive', forgeZip([{ name: 'x', content: 'x', flags: 1 }]), 'encrypted'],
    ['an encrypted OpenDocument file', 'archive', makeOpenDocument('text', '', [manifest]), 'encrypted'],
    ['an encrypted book', 'archive', makeEpub('', [{ name: 'a', page: 'x' }], [encryptedBook]), 'encrypted'],
    ['an encrypted docx', 'compound', Buffer.from('EncryptedPackage', 'utf16le'), 'encrypted'],
    ['an old document', 'compound', 'Word', 'unknown-type'],
    ['an archive of other files', 'archive', forgeZip([{ name: 'x', content: 'x' }]), 'unknown-type'],
    ['a PDF that is only its signature', 'pdf', '%PDF-1.7', 'damaged'],
    ['a truncated docx', 'archive', makeDocx(paragraph('x')).subarray(0, 300), 'damaged'],
    ['a docx with malformed XML', 'archive', makeDocx('<w:p><w:t>x</w:p>'), 'damaged'],
    ['a docx with an entity', 'archive', makeDocx('<w:p><w:t>&other;</w:t></w:p>'), 'damaged'],
  ] as const) {
    test(`is ${what}, which is ${reason}`, async () => {
      assert.equal(await textOf(format, file), `no text: ${reason}`);
    });
  }

  test('can be a scan, which has an empty text', async () => {
    assert.equal(await textOf('pdf', makePdf([{ content: 'q /Scan Do Q' }])), '');
  });
});
