// tier: default
// runs on: sqlite
// needs: browser
// Documents in the preview. Office documents are shown in a frame that can do nothing else.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import {
  DOCX_TYPE,
  linkTo,
  makeDocx,
  makeReport,
  makeXlsx,
  paragraph,
  part,
  picture,
  row,
  XLSX_TYPE,
} from '../../support/documents/office-files.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const MIB = 1_048_576;

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const alice = await holdall.register('alice');

const IMAGE = { id: 'p1', type: 'image', target: 'media/a.png' };
const letter = await alice.upload(
  '/Office/letter.docx',
  makeDocx(
    paragraph('Dear grandmother') + picture('r:embed="p1"') + linkTo('l1', 'our village'),
    [IMAGE, { id: 'l1', type: 'hyperlink', target: 'https://example.org/village', isExternal: true }],
    [part('word/media/a.png', makePng(64, 64))],
  ),
  DOCX_TYPE,
);
await alice.upload(
  '/Office/money.xlsx',
  makeXlsx({
    Income: row(1, ['From', 'Amount']) + row(2, ['&lt;b&gt;Work&lt;/b&gt;', 1234.5]),
    Dates: '<row r="1"><c r="A1" s="1"><v>45000</v></c></row>',
    Nothing: '',
  }),
  XLSX_TYPE,
);
let visit: Visit;
afterEach(() => visit.checkClean());

async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
  visit = await (await Visit.begin(browser, holdall, options)).logIn(alice, '/drive/Office');
  const row = visit.page.getByRole('row', { name });
  if (options.isMobile === true) await row.tap();
  else await row.dblclick();
  await visit.page.getByRole('dialog', { name }).waitFor();
  return visit.page;
}

/** What the frame of the document contains, once it is shown. */
async function frameOf(page: Page, name: string) {
  await page.locator(`iframe[title="${name}"][data-shown]`).waitFor();
  return page.frameLocator(`iframe[title="${name}"]`);
}

test('a text document is shown with its pictures, and its keys work as in any preview', async () => {
  const page = await open('letter.docx');
  const frame = await frameOf(page, 'letter.docx');
  await frame.getByText('Dear grandmother').waitFor();
  const image = frame.locator('img');
  await image.waitFor();
  assert.equal(
    await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth)),
    64,
  );
  const link = frame.getByRole('link', { name: 'our village' });
  assert.equal(await link.getAttribute('href'), 'https://example.org/village');
  assert.equal(await link.getAttribute('target'), '_blank');
  assert.match((await link.getAttribute('rel')) ?? '', /noopener/);
  await visit.checkAccessible();
  await frame.getByText('Dear grandmother').click();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'money.xlsx' }).waitFor();
  const table = (await frameOf(page, 'money.xlsx')).getByRole('cell', { name: 'From' });
  const { x, width } = (await page.locator('iframe[title="money.xlsx"]').boundingBox()) ?? assert.fail();
  assert.deepEqual([x, width], [160, 960], 'a sheet is a page in the middle, as a table of a text file is');
  await table.click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a text document fits a phone', inFull, async () => {
  const page = await open('letter.docx', { ...PHONE, colorScheme: 'dark' });
  const frame = await frameOf(page, 'letter.docx');
  await frame.getByText('Dear grandmother').waitFor();
  const width = await frame.locator('html').evaluate(({ scrollWidth }) => scrollWidth);
  assert.ok(width <= 360, `${width} pixels`);
  await visit.checkAccessible();
});

for (const [device, options] of [
  ['laptop', {}],
  ['phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`a workbook is shown sheet by sheet on a ${device}`, inFull, async () => {
    const page = await open('money.xlsx', options);
    const frame = await frameOf(page, 'money.xlsx');
    await frame.getByRole('columnheader', { name: 'B' }).waitFor();
    // HTML in a cell is shown as text.
    await frame.getByRole('cell', { name: '<b>Work</b>' }).waitFor();
    await frame.getByRole('cell', { name: '1234.5' }).waitFor();
    await visit.checkAccessible();
    await frame.getByRole('button', { name: 'Dates' }).click();
    await frame.getByRole('cell', { name: /15.*Mar.*2023|Mar.*15.*2023/ }).waitFor();
    await frame.getByRole('button', { name: 'Nothing' }).click();
    await frame.getByText('This sheet is empty.').waitFor();
  });
}

test('a workbook with unusual part names is shown without its hidden sheets', inFull, async () => {
  await alice.upload('/Office/report.xlsx', makeReport(row(1, ['Income'])), XLSX_TYPE);
  const frame = await frameOf(await open('report.xlsx'), 'report.xlsx');
  await frame.getByRole('cell', { name: 'Income' }).waitFor();
  assert.equal(await frame.getByRole('button').count(), 0, 'tabs are for several visible sheets');
});

test('early 1900 dates and times of day are shown as in Excel', inFull, async () => {
  const cells = [1, 59, 61, 0.75].map((serial, at) => `<c r="A${at + 1}" s="1"><v>${serial}</v></c>`);
  const rows = cells.map((cell, at) => `<row r="${at + 1}">${cell}</row>`).join('');
  await alice.upload('/Office/early.xlsx', makeXlsx({ Dates: rows }), XLSX_TYPE);
  const frame = await frameOf(await open('early.xlsx'), 'early.xlsx');
  for (const text of ['Jan 1, 1900', 'Feb 28, 1900', 'Mar 1, 1900', /^0?6:00\sPM$/])
    await frame.getByRole('cell', { name: text, exact: true }).waitFor();
});

test('only the first rows and columns of a large sheet are shown', inFull, async () => {
  const lines = Array.from({ length: 1_500 }, (_, at) => row(at + 1, [`line ${at + 1}`]));
  const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  await alice.upload('/Office/long.xlsx', makeXlsx({ Long: lines.join('') + far }), XLSX_TYPE);
  const frame = await frameOf(await open('long.xlsx'), 'long.xlsx');
  await frame.getByText('Showing the first 1,000 rows and 60 columns.').waitFor();
  await frame.getByRole('cell', { name: 'line 1000', exact: true }).waitFor();
  assert.equal(await frame.getByRole('cell', { name: 'line 1001', exact: true }).count(), 0);
  assert.equal(await frame.getByRole('columnheader').count(), 1);
});

test('a hostile document runs nothing, loads nothing and leads nowhere', async () => {
  const elsewhere = 'http://127.0.0.1:9/secret';
  const links = [
    { id: 'l1', type: 'hyperlink', target: 'javascript:alert(document.domain)', isExternal: true },
    {
      id: 'l2',
      type: 'hyperlink',
      target: 'data:text/html,&lt;script&gt;alert(1)&lt;/script&gt;',
      isExternal: true,
    },
    { id: 'p1', type: 'image', target: elsewhere, isExternal: true },
    { id: 'h1', type: 'aFChunk', target: 'chunk.html' },
  ];
  const body = [
    paragraph('&lt;script&gt;parent.x = 1&lt;/script&gt;'),
    linkTo('l1', 'press me'),
    linkTo('l2', 'or me'),
    picture('r:link="p1"'),
    picture('r:embed="p1"'),
    '<w:altChunk r:id="h1"/>',
    `<w:p><w:r><w:pict><v:rect onload="alert(1)" onclick="alert(2)" href="${elsewhere}" src="${elsewhere}"` +
      ` style="width:10pt;height:10pt;background:url(${elsewhere})"/></w:pict></w:r></w:p>`,
    paragraph('the end'),
  ];
  await alice.upload(
    '/Office/hostile.docx',
    makeDocx(body.join(''), links, [
      part('word/chunk.html', `<script>alert(1)</script><img src="${elsewhere}">`),
    ]),
    DOCX_TYPE,
  );
  const page = await open('hostile.docx');
  page.on('dialog', () => assert.fail('something ran'));
  const frame = await frameOf(page, 'hostile.docx');
  await frame.getByText('the end').waitFor();
  for (const text of ['press me', 'or me']) {
    await frame.getByText(text).click();
    assert.equal(await frame.getByRole('link', { name: text }).count(), 0, text);
  }
  assert.equal(await frame.locator('iframe, script[src], object, embed').count(), 0);
  const found = await frame.locator('main').evaluate((main) => main.innerHTML);
  assert.doesNotMatch(found, /\son\w+=|javascript:|data:text/i);
  // The frame has no origin: it can read nothing of the client.
  const outside = await frame.locator('html').evaluate(() => {
    try {
      return `${origin} ${parent.document.title}`;
    } catch (error) {
      return `${origin} ${error instanceof Error ? error.name : ''}`;
    }
  });
  assert.equal(outside, 'null SecurityError');
  assert.equal(page.context().pages().length, 1);
});

test('the frame may run its own script only, and nobody else may frame it', async () => {
  visit = await Visit.begin(browser, holdall);
  for (const format of ['docx', 'xlsx', 'pages', 'epub']) {
    const response = await fetch(new URL(`/frames/${format}.html`, holdall.url));
    const policy = response.headers.get('content-security-policy') ?? '';
    await response.arrayBuffer();
    assert.match(
      policy,
      /default-src 'none'; script-src 'sha256-[^']+'; style-src 'unsafe-inline'; img-src blob: data:/,
    );
    assert.match(policy, /frame-ancestors 'self'/);
    assert.match(policy, /sandbox allow-scripts(?! allow-same-origin)/);
    assert.doesNotMatch(policy, /allow-same-origin|unsafe-eval|connect-src/);
  }
});

test('a file that cannot be shown gets a card that says why', inFull, async () => {
  const lying = makeDocx(
    paragraph('x'),
    [],
    [
      {
        name: 'word/bomb.xml',
        content: '<a/>'.repeat(6 * MIB),
        isDeflated: true,
        size: 1_000,
        local: { size: 1_000 },
      },
    ],
  );
  const files: Readonly<Record<string, readonly [Uint8Array<ArrayBuffer>, string]>> = {
    'broken.docx': [new TextEncoder().encode('no archive at all'), 'is damaged'],
    'broken.xlsx': [makeDocx(paragraph('a text document')), 'is damaged'],
    'entities.docx': [
      makeDocx('', [], [part('word/styles.xml', '<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>')]),
      'is damaged',
    ],
    'bomb.docx': [
      makeDocx(paragraph('x'), [], [part('word/media/a.bin', new Uint8Array(101 * MIB))]),
      'is too large',
    ],
    'bomb.xlsx': [makeXlsx({ A: row(1, ['x']) }, [part('xl/a.xml', ' '.repeat(21 * MIB))]), 'is too large'],
    'other-names.xlsx': [makeXlsx({ A: row(1, ['x']) }, [], 'bin'), 'is damaged'],
    'lying.docx': [lying, 'is damaged'],
    'large.docx': [new Uint8Array(20_000_001), 'is too large'],
    'old.doc': [new Uint8Array(1), 'No preview for this format'],
    'slides.ppt': [new Uint8Array(1), 'No preview for this format'],
    'text.odt': [new Uint8Array(1), 'is damaged'],
    'talk.pptx': [makeDocx(paragraph('a text document')), 'is damaged'],
  };
  for (const [name, [bytes]] of Object.entries(files)) await alice.upload(`/Cards/${name}`, bytes);
  visit = await (await Visit.begin(browser, holdall, PHONE)).logIn(alice, '/drive/Cards');
  const { page } = visit;
  for (const [name, [, reason]] of Object.entries(files)) {
    await page.getByRole('row', { name }).tap();
    const dialog = page.getByRole('dialog', { name });
    await dialog.getByText(reason).waitFor();
    await dialog
      .getByText(/Document|Spreadsheet|Presentation/)
      .first()
      .waitFor();
    assert.equal(await dialog.getByText(/application\//).count(), 0);
    if (name === 'broken.docx') await visit.checkAccessible();
    await dialog.getByRole('button', { name: 'Close' }).tap();
    await dialog.waitFor({ state: 'detached' });
  }
});

test('a visitor of a link sees a document', inFull, async () => {
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
    body: { fileId: letter.id },
  });
  visit = await Visit.begin(browser, holdall, PHONE);
  await visit.page.goto(`/s/${token}`);
  const frame = await frameOf(visit.page, 'letter.docx');
  await frame.getByText('Dear grandmother').waitFor();
  await visit.checkAccessible();
});

test('a table in a Chinese encoding is shown, and readers can choose another encoding', async () => {
  // 姓名,年龄 and 张三,30 in GBK, below the line with which Excel names the separator.
  const head = Buffer.from('sep=,\r\n');
  const rows = Buffer.from('d0d5c3fb2cc4eac1e40d0ad5c5c8fd2c33300d0a', 'hex');
  await alice.upload('/Office/people.csv', new Uint8Array(Buffer.concat([head, rows])), 'text/csv');
  const page = await open('people.csv');
  const dialog = page.getByRole('dialog', { name: 'people.csv' });
  await dialog.getByRole('columnheader', { name: '姓名' }).waitFor();
  await dialog.getByRole('cell', { name: '张三' }).waitFor();
  assert.equal(await dialog.getByRole('cell', { name: 'sep=' }).count(), 0);
  assert.equal(await dialog.getByRole('button', { name: 'Edit' }).count(), 0);
  const choice = dialog.getByRole('combobox', { name: 'Encoding' });
  assert.match((await choice.textContent()) ?? '', /Detected: Simplified Chinese \(GB18030\)/);
  await visit.checkAccessible();
  await choice.selectOption('Korean (EUC-KR)');
  await dialog.getByRole('columnheader', { name: '檎츰' }).waitFor();
  await choice.selectOption('Detect automatically');
  await dialog.getByRole('columnheader', { name: '姓名' }).waitFor();
});
