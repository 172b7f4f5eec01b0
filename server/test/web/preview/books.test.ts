// tier: default
// runs on: sqlite
// needs: browser
// Books, OpenDocument files and presentations in the preview. Their content is shown in a frame that can do nothing else.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import {
  makeEpub,
  makeOpenDocument,
  makePptx,
  relationsPart,
} from '../../support/documents/more-office-files.ts';
import { part } from '../../support/documents/office-files.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const alice = await holdall.register('alice');

const ELSEWHERE = 'http://127.0.0.1:9/secret';
const XHTML = 'xmlns="http://www.w3.org/1999/xhtml"';

function upload(path: string, bytes: Uint8Array, type?: string) {
  return alice.upload(path, new Uint8Array(bytes), type);
}

function chapter(name: string, body: string, head = '') {
  return { name, page: `<!DOCTYPE html><html ${XHTML}><head>${head}</head><body>${body}</body></html>` };
}

let visit: Visit;
afterEach(() => visit.checkClean());

async function open(name: string, options: BrowserContextOptions = {}) {
  visit = await (await Visit.begin(browser, holdall, options)).logIn(alice, '/drive/Books');
  const { page } = visit;
  const row = page.getByRole('row', { name });
  if (options.isMobile === true) await row.tap();
  else await row.dblclick();
  await page.locator(`iframe[title="${name}"][data-shown]`).waitFor();
  return { page, frame: page.frameLocator(`iframe[title="${name}"]`) };
}

await upload(
  '/Books/story.epub',
  makeEpub(
    'A story',
    [
      chapter('one', '<h1>Morning</h1><p>It was&nbsp;early.</p><img src="../art/sun.png" alt="The sun"/>'),
      chapter('two', '<h1>Noon</h1><p>See <a href="one.xhtml#top">the morning</a>.</p>'),
      // Not well-formed.
      { name: 'three', page: '<html><body><h1>Evening</h1><p>Dark<br>and late</body></html>' },
    ],
    [
      part('book/art/sun.png', makePng(64, 64)),
      part(
        'book/nav.xhtml',
        `<html ${XHTML} xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>` +
          '<li><a href="text/one.xhtml">At sunrise</a></li>' +
          '<li><a href="text/three.xhtml">At sunset</a></li></ol></nav></body></html>',
      ),
    ],
    '<item id="nav" href="nav.xhtml" properties="nav"/>',
  ),
  'application/epub+zip',
);

await upload('/Books/talk.pptx', makePptx([{ lines: ['Welcome'] }, { lines: ['Figures', 'Up'] }]));
const FRAME = 'draw:frame';
const slide = (title: string, text: string) =>
  `<draw:page><${FRAME} presentation:class="title"><draw:text-box><text:p>${title}</text:p></draw:text-box></${FRAME}>` +
  `<${FRAME}><draw:text-box><text:p>${text}</text:p></draw:text-box></${FRAME}>` +
  '<presentation:notes><text:p>for me only</text:p></presentation:notes></draw:page>';
await upload(
  '/Books/talk.odp',
  makeOpenDocument('presentation', slide('Plan', 'First this') + slide('End', 'Thanks')),
);

for (const [device, options] of [
  ['laptop', {}],
  ['phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`a book is read chapter by chapter on a ${device}`, device === 'phone' ? inFull : {}, async () => {
    const { page, frame } = await open('story.epub', options);
    await frame.getByRole('heading', { name: 'Morning' }).waitFor();
    await frame.getByText('It was early.').waitFor();
    const sun = frame.getByRole('img', { name: 'The sun' });
    assert.equal(
      await sun.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
      64,
    );
    await visit.checkAccessible();
    const sizeOf = () => frame.locator('article').evaluate((article) => getComputedStyle(article).zoom);
    assert.equal(await sizeOf(), '1');
    await frame.getByRole('button', { name: 'Larger text' }).click();
    assert.equal(await sizeOf(), '1.125');
    assert.ok(await frame.getByRole('button', { name: 'Previous' }).isDisabled());
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByRole('heading', { name: 'Noon' }).waitFor();
    await frame.getByText('2 / 3').waitFor();
    await frame.getByRole('link', { name: 'the morning' }).click();
    await frame.getByRole('heading', { name: 'Morning' }).waitFor();
    await frame.getByRole('button', { name: 'Contents' }).click();
    await frame.getByRole('button', { name: 'At sunset' }).click();
    await frame.getByRole('heading', { name: 'Evening' }).waitFor();
    await frame.getByText('and late').waitFor();
    const width = await frame
      .locator('html')
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    assert.equal(width, 0);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
}

test('a hostile book runs nothing, loads nothing and leads nowhere', async () => {
  const hostile = [
    '<script>parent.x = 1</script>',
    `<img src="${ELSEWHERE}" onerror="alert(1)"/><img src="missing.png" srcset="${ELSEWHERE} 2x"/>`,
    `<iframe src="${ELSEWHERE}"></iframe><object data="${ELSEWHERE}"></object>`,
    `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(2)"><image href="${ELSEWHERE}"/></svg>`,
    `<p style="background: url(${ELSEWHERE})" onclick="alert(3)">press me</p>`,
    '<a href="javascript:alert(4)">or me</a> <a href="https://example.org/shop">the shop</a>',
    '<p>the end</p>',
  ].join('');
  const head =
    `<link rel="stylesheet" href="${ELSEWHERE}"/><style>@import "${ELSEWHERE}"; ` +
    `p { background: url("${ELSEWHERE}"); letter-spacing: 1px }</style>`;
  await upload('/Books/hostile.epub', makeEpub('Hostile', [chapter('one', hostile, head)]));
  const { page, frame } = await open('hostile.epub');
  page.on('dialog', () => assert.fail('something ran'));
  await frame.getByText('the end').waitFor();
  await frame.getByText('press me').click();
  await frame.getByText('or me').click();
  assert.equal(await frame.getByRole('link', { name: 'or me' }).count(), 0);
  const shop = frame.getByRole('link', { name: 'the shop' });
  assert.match((await shop.getAttribute('rel')) ?? '', /noopener/);
  assert.equal(await shop.getAttribute('target'), '_blank');
  const found = await frame.locator('article').evaluate(({ shadowRoot }) => shadowRoot?.innerHTML ?? '');
  assert.doesNotMatch(found, /\son\w+=|javascript:|127\.0\.0\.1|<script|<iframe|<object|<link/i);
  // The rest of the style of the book applies.
  assert.match(found, /letter-spacing: 1px/);
  assert.equal(await frame.locator('html').evaluate(() => origin), 'null');
  assert.equal(page.context().pages().length, 1);
});

test('a fault in a chapter stops neither the others nor its own rest', async () => {
  const own = [
    '<img src="../art/bad.png" alt="Bad"/><img src="../art/sun.png" alt="Sun"/><img src="../art/sun.png" alt="Sun"/>',
    '<svg xmlns="http://www.w3.org/2000/svg"><a href="https://example.org/map"><text y="20">the map</text></a></svg>',
    `<map name="m"><area shape="default" href="${ELSEWHERE}" alt="Away"/></map><p>the rest</p>`,
  ].join('');
  const slow = `p { background: url(${' '.repeat(20_000)} } ${'@import '.repeat(20_000)}`;
  const entities = '<!DOCTYPE html [<!ENTITY x "]>"><!ENTITY a "expanded">]>';
  const page3 = `${entities}<html ${XHTML}><body><p>Found: &a; ${'&lt;a '.repeat(10)}</p></body></html>`;
  const book = makeEpub(
    'Faults',
    [
      chapter('one', own, `<style>${slow}</style>`),
      chapter('two', ' '.repeat(5_000_001)),
      { name: 'three', page: page3 },
    ],
    [
      { name: 'book/art/bad.png', method: 8, packed: new Uint8Array(64).fill(255), size: 64 },
      part('book/art/sun.png', makePng(64, 64)),
    ],
  );
  await upload('/Books/faults.epub', book);
  const { frame } = await open('faults.epub');
  await frame.getByText('the rest').waitFor();
  const addresses = await frame
    .getByRole('img', { name: 'Sun' })
    .evaluateAll((all) => all.map((each) => each.getAttribute('src') ?? ''));
  assert.match(addresses[0] ?? '', /^blob:/);
  assert.equal(addresses[1], addresses[0]);
  assert.equal(await frame.locator('svg a').getAttribute('target'), '_blank');
  assert.equal(await frame.locator('area').getAttribute('href'), null);
  await frame.getByRole('button', { name: 'Next' }).click();
  await frame.getByText("This chapter can't be shown.").waitFor();
  await frame.getByText('2 / 3').waitFor();
  await frame.getByRole('button', { name: 'Next' }).click();
  await frame.getByText('Found:').waitFor();
  assert.equal(await frame.getByText('expanded').count(), 0);
});

test('the last of several chosen chapters is shown', async () => {
  const { frame } = await open('story.epub');
  await frame.getByRole('heading', { name: 'Morning' }).waitFor();
  await frame.getByRole('button', { name: 'Next' }).evaluate((next: HTMLButtonElement) => {
    next.click();
    next.click();
  });
  await frame.getByText('3 / 3').waitFor();
  await frame.getByRole('heading', { name: 'Evening' }).waitFor();
});

test('the contents of a book close after a choice on a phone', async () => {
  const { frame } = await open('story.epub', PHONE);
  const toggle = frame.getByRole('button', { name: 'Contents' });
  await toggle.tap();
  const [bar, list] = [
    await frame.locator('header').boundingBox(),
    await frame.getByRole('navigation').boundingBox(),
  ];
  assert.ok(bar !== null && list !== null && Math.abs(list.y - bar.y - bar.height) < 1);
  assert.equal(list.width, bar.width);
  await frame.getByRole('button', { name: 'At sunset' }).tap();
  await frame.getByRole('heading', { name: 'Evening' }).waitFor();
  await frame.getByRole('navigation').waitFor({ state: 'hidden' });
  assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
  assert.equal(await frame.locator('main:focus').count(), 1);
});

test('small files cannot become large documents', async () => {
  const repeat = (inner: string) =>
    `<table:table><table:table-row><table:table-cell table:number-columns-repeated="100">${inner}` +
    '</table:table-cell></table:table-row></table:table>';
  const bomb = repeat(repeat(repeat(repeat('<text:p>x</text:p>'))));
  await upload('/Bombs/cells.odt', makeOpenDocument('text', bomb));
  const relations = relationsPart('ppt/_rels/presentation.xml.rels', { r1: ['slide', 'slides/slide1.bin'] });
  const hidden = [relations, part('ppt/slides/slide1.bin', '<a>a slide</a>')];
  await upload('/Bombs/names.pptx', makePptx([{ lines: ['x'] }], hidden));
  visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Bombs');
  for (const [name, reason] of [
    ['cells.odt', 'is too large'],
    ['names.pptx', 'is damaged'],
  ] as const) {
    await visit.page.getByRole('row', { name }).dblclick();
    const dialog = visit.page.getByRole('dialog', { name });
    await dialog.getByText(reason).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }
});

test('a copy-protected book says so', inFull, async () => {
  const rights =
    '<encryption><EncryptedData><CipherData><CipherReference URI="book/text/one.xhtml"/></CipherData>' +
    '</EncryptedData></encryption>';
  const book = makeEpub('Bought', [chapter('one', '<p>x</p>')], [part('META-INF/encryption.xml', rights)]);
  await upload('/Books/bought.epub', book);
  visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Books');
  await visit.page.getByRole('row', { name: 'bought.epub' }).dblclick();
  await visit.page.getByText('This book is copy-protected.').waitFor();
});

const STYLES =
  '<office:automatic-styles><style:style style:name="T1"><style:text-properties fo:font-weight="bold"/></style:style>' +
  '<text:list-style style:name="L1"><text:list-level-style-number/></text:list-style></office:automatic-styles>';

test('an OpenDocument text is shown with headings, lists, tables and pictures', async () => {
  const body = [
    '<text:h text:outline-level="2">Our garden</text:h>',
    '<text:p>We grow <text:span text:style-name="T1">beans</text:span>,<text:s text:c="2"/>and ',
    '<text:a xlink:href="https://example.org/peas">peas</text:a> <text:a xlink:href="javascript:alert(1)">now</text:a></text:p>',
    '<text:list text:style-name="L1"><text:list-item><text:p>Dig</text:p></text:list-item></text:list>',
    '<table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>Yield</text:p>',
    '</table:table-cell><table:covered-table-cell/></table:table-row></table:table>',
    '<text:p><draw:frame svg:width="2cm"><draw:image xlink:href="Pictures/a.png"/><svg:title>A bean</svg:title>',
    `</draw:frame><draw:frame><draw:image xlink:href="${ELSEWHERE}"/></draw:frame></text:p>`,
    '<text:tracked-changes><text:p>a secret of the past</text:p></text:tracked-changes>',
  ].join('');
  const picture = part('Pictures/a.png', makePng(64, 64));
  await upload('/Books/garden.odt', makeOpenDocument('text', body, [picture], STYLES));
  const { frame } = await open('garden.odt');
  await frame.getByRole('heading', { name: 'Our garden', level: 2 }).waitFor();
  assert.equal(await frame.getByText('beans').evaluate((span) => getComputedStyle(span).fontWeight), '600');
  await frame.locator('ol').getByText('Dig').waitFor();
  assert.equal(await frame.getByRole('cell', { name: 'Yield' }).getAttribute('colspan'), '2');
  assert.equal(await frame.getByRole('link').count(), 1);
  const images = frame.getByRole('img');
  assert.equal(await images.count(), 1);
  await frame.getByRole('img', { name: 'A bean' }).waitFor();
  assert.equal(await frame.getByText('a secret of the past').count(), 0);
  await visit.checkAccessible();
});

test('an OpenDocument spreadsheet is shown sheet by sheet, as its cells say', async () => {
  const cell = (text: string, type = 'string', more = '') =>
    `<table:table-cell office:value-type="${type}" ${more}><text:p>${text}</text:p></table:table-cell>`;
  const empty = '<table:table-cell table:number-columns-repeated="16380"/>';
  const rows = [
    `<table:table-row>${cell('From')}<table:table-cell/>${cell('1.234,50 \u20ac', 'currency')}${empty}</table:table-row>`,
    `<table:table-row table:number-rows-repeated="3">${cell('again')}</table:table-row>`,
    `<table:table-row table:number-rows-repeated="1048570">${empty}</table:table-row>`,
  ].join('');
  const sheets = `<table:table table:name="Money">${rows}</table:table><table:table table:name="Other"/>`;
  await upload('/Books/money.ods', makeOpenDocument('spreadsheet', sheets));
  const { frame } = await open('money.ods');
  await frame.getByRole('cell', { name: 'From' }).waitFor();
  assert.equal(await frame.locator('td.number').textContent(), '1.234,50 \u20ac');
  assert.equal(await frame.getByRole('cell', { name: 'again' }).count(), 3);
  assert.equal(await frame.getByRole('row').count(), 5);
  assert.equal(await frame.getByText('Showing the first').count(), 0);
  await visit.checkAccessible();
  await frame.getByRole('button', { name: 'Other' }).click();
  await frame.getByText('This sheet is empty.').waitFor();
});

for (const [device, options] of [
  ['laptop', {}],
  ['phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`slides are shown one below the other on a ${device}`, device === 'phone' ? inFull : {}, async () => {
    const powerPoint = (await open('talk.pptx', options)).frame;
    const slides = powerPoint.locator('section');
    assert.deepEqual(await slides.allTextContents(), ['Welcome', 'FiguresUp']);
    await visit.checkAccessible();
    visit.checkClean();
    const impress = (await open('talk.odp', options)).frame;
    await impress.getByRole('heading', { name: 'Plan' }).waitFor();
    assert.deepEqual(await impress.locator('section').allTextContents(), ['PlanFirst this', 'EndThanks']);
    const [one, other] = [impress.locator('section').first(), impress.locator('section').last()];
    const [above, below] = [await one.boundingBox(), await other.boundingBox()];
    assert.ok(above !== null && below !== null && above.x === below.x && above.y < below.y);
    await visit.checkAccessible();
  });
}

test('a presentation of PowerPoint has its pictures, tables and titles', async () => {
  const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const text = (line: string) =>
    `<p:txBody><a:p><a:r><a:rPr b="1"/><a:t>${line}</a:t></a:r></a:p></p:txBody>`;
  const xml =
    `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="${drawing}" xmlns:r="${office}">` +
    `<p:cSld><p:spTree><p:sp>${text('A point')}</p:sp>` +
    '<p:pic><p:nvPicPr><p:cNvPr descr="A chart"/></p:nvPicPr><p:blipFill><a:blip r:embed="p"/></p:blipFill></p:pic>' +
    '<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>42</a:t></a:r></a:p>' +
    '</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>' +
    `<p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr>${text('The title')}</p:sp>` +
    '</p:spTree></p:cSld></p:sld>';
  await upload(
    '/Books/rich.pptx',
    makePptx(
      [{ lines: [], xml }],
      [
        relationsPart('ppt/slides/_rels/slide1.xml.rels', { p: ['image', '../media/a.png'] }),
        part('ppt/media/a.png', makePng(64, 64)),
      ],
    ),
  );
  const { frame } = await open('rich.pptx');
  await frame.getByRole('heading', { name: 'The title' }).waitFor();
  assert.equal(await frame.locator('section > :first-child').textContent(), 'The title');
  await frame.getByRole('img', { name: 'A chart' }).waitFor();
  await frame.getByRole('cell', { name: '42' }).waitFor();
  await frame.getByText('A point').waitFor();
});

test('a visitor of a link reads a book', inFull, async () => {
  const book = await upload('/Books/gift.epub', makeEpub('Gift', [chapter('one', '<p>For you</p>')]));
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', {
    body: { fileId: book.id },
  });
  visit = await Visit.begin(browser, holdall, PHONE);
  await visit.page.goto(`/s/${token}`);
  await visit.page.frameLocator('iframe[title="gift.epub"]').getByText('For you').waitFor();
  await visit.checkAccessible();
});
