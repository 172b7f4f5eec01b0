// tier: default
// runs on: sqlite
// needs: browser
// PDFs in the viewer of the web client, which is the same in every browser.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Locator, Page, Route } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { makeLinkedPdf, toPage, toUri } from '../../support/documents/linked-pdf.ts';
import { lockPdf } from '../../support/documents/locked-pdf.ts';
import { linePage, makePdf } from '../../support/documents/pdf-files.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
const alice = await holdall.register('alice');
const folder = await alice.mkdir('/Papers');
const lines = Array.from({ length: 12 }, (_, index) => linePage(`This is line ${index + 1}.`));
const chinese = { content: 'BT /Chinese 24 Tf 72 720 Td <D6D0CEC4> Tj ET' };
const scan = { content: 'q 595 0 0 842 0 0 cm /Scan Do Q' };
await alice.upload('/Papers/book.pdf', makePdf(lines), 'application/pdf');
await alice.upload('/Papers/special.pdf', makePdf([chinese, scan]), 'application/pdf');
await alice.upload('/Papers/broken.pdf', '%PDF-1.7\nnothing of that kind', 'application/pdf');
await alice.upload('/Papers/secret.pdf', lockPdf('Between us', 'sesame'), 'application/pdf');
const links = [
  { target: toPage(6), bottom: 700 },
  { target: toUri('https://example.org/village'), bottom: 660 },
  { target: toUri('ftp://example.org/village'), bottom: 620 },
  { target: '/A << /S /JavaScript /JS (app.alert\\(2\\)) >>', bottom: 580 },
];
const chapters = [
  ['The beginning', 0],
  ['The end', 11],
] as const;
await alice.upload('/Papers/linked.pdf', makeLinkedPdf(lines, links, chapters), 'application/pdf');
await alice.upload(
  '/Papers/thick.pdf',
  makePdf(Array.from({ length: 2_000 }, (_, index) => linePage(`Leaf ${index + 1}`))),
  'application/pdf',
);
const filler = { content: `${' '.repeat(6_000_000)}\n${linePage('The long page').content}` };
const large = await alice.upload(
  '/Papers/large.pdf',
  makePdf([...lines, filler, ...lines]),
  'application/pdf',
);
let visit: Visit;
afterEach(async () => {
  assert.deepEqual(await visit.page.evaluate('globalThis.violations'), []);
  visit.checkClean();
});

const WATCH = `globalThis.violations = [];
addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective + ' ' + event.blockedURI));`;

async function begin(options: Parameters<typeof Visit.begin>[2] = {}): Promise<Page> {
  visit = await Visit.begin(browser, holdall, options);
  await visit.addScript(WATCH);
  return visit.page;
}

async function open(name: string, options: Parameters<typeof Visit.begin>[2] = {}) {
  const page = await begin(options);
  await visit.logIn(alice, '/drive/Papers');
  const row = page.getByRole('row', { name });
  if (options.isMobile === true) await row.tap();
  else await row.dblclick();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return { page, dialog };
}

/** The numbers of the pages that are drawn. */
async function listDrawn(page: Page): Promise<readonly number[]> {
  return await page.evaluate(() =>
    Array.from(document.querySelectorAll('[data-page-number]:has(canvas)'), (each) =>
      Number(each.getAttribute('data-page-number')),
    ),
  );
}

/** Waits until the field for the page has that number. */
async function untilAt(scope: Locator | Page, number: number): Promise<void> {
  const field = scope.getByRole('textbox', { name: 'Page number' });
  await waitUntil(`page ${number}`, async () => (await field.inputValue()) === String(number));
}

/** Waits until the page has a drawn picture. */
async function pictureOf(scope: Locator | Page, number: number): Promise<Locator> {
  const picture = scope.locator(`[data-page-number="${number}"][data-loaded] canvas`).first();
  await picture.waitFor();
  return picture;
}

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  const isPhone = 'isMobile' in options;
  const name = `the preview draws only the pages of a PDF near the view${isPhone ? ' on a phone' : ''}`;
  test(name, isPhone ? inFull : {}, async () => {
    const { page, dialog } = await open('thick.pdf', options);
    await dialog.getByText('of 2,000').waitFor();
    await dialog.getByText('Leaf 1', { exact: true }).waitFor();
    const picture = await pictureOf(dialog, 1);
    const hasInk = await picture.evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return false;
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
      return data?.some((value, index) => index % 4 === 0 && value < 100) === true;
    });
    assert.ok(hasInk);
    await visit.checkAccessible();
    const field = dialog.getByRole('textbox', { name: 'Page number' });
    for (const number of [500, 1_000, 1_500, 1_990]) {
      await field.fill(String(number));
      await field.press('Enter');
      await dialog.getByText(`Leaf ${number}`, { exact: true }).waitFor();
    }
    const column = dialog.getByRole('region', { name: 'thick.pdf' });
    await column.focus();
    await page.keyboard.press('End');
    await dialog.getByText('Leaf 2000', { exact: true }).waitFor();
    await untilAt(dialog, 2_000);
    const drawn = await listDrawn(page);
    assert.ok(drawn.length <= 10 && !drawn.includes(1), `drawn: ${drawn.join()}`);
    await page.keyboard.press('PageUp');
    await untilAt(dialog, 1_999);
    await page.keyboard.press('Home');
    await dialog.getByText('Leaf 1', { exact: true }).waitFor();
    await untilAt(dialog, 1);
  });
}

test('the preview finds a text on all pages of a PDF, and its text can be copied', async () => {
  const { page, dialog } = await open('book.pdf');
  const line = dialog.getByText('This is line 1.');
  await line.waitFor();
  await page.keyboard.press('Control+f');
  const field = dialog.getByRole('textbox', { name: 'Find in this document' });
  await field.fill('this is line 1');
  await dialog.getByText('Match 1 of 4').waitFor();
  await dialog.locator('.highlight.selected').getByText('This is line 1').waitFor();
  await field.press('Enter');
  await dialog.getByText('Match 2 of 4').waitFor();
  await untilAt(dialog, 10);
  await dialog.getByRole('button', { name: 'Next match' }).click();
  await untilAt(dialog, 11);
  await visit.checkAccessible();
  await field.press('Shift+Enter');
  await dialog.getByText('Match 2 of 4').waitFor();
  await field.fill('nowhere');
  await dialog.getByText('No matches').waitFor();
  await field.press('Escape');
  await field.waitFor({ state: 'detached' });
  assert.equal(await dialog.locator('.highlight').count(), 0);
  await page.keyboard.press('Home');
  await line.selectText();
  assert.equal(await page.evaluate(() => getSelection()?.toString()), 'This is line 1.');
});

test('the preview zooms and rotates the pages of a PDF', async () => {
  const { page, dialog } = await open('book.pdf');
  const sheet = dialog.getByRole('group', { name: 'Page 1', exact: true });
  const sizeOf = async () => (await sheet.boundingBox()) ?? assert.fail();
  await dialog.getByText('This is line 1.').waitFor();
  const zoom = dialog.getByRole('combobox', { name: 'Zoom' });
  await zoom.selectOption('100 %');
  await waitUntil('100 %', async () => Math.round((await sizeOf()).width) === 793);
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await waitUntil('110 %', async () => Math.round((await sizeOf()).width) === 872);
  const column = dialog.getByRole('region', { name: 'book.pdf' });
  await column.hover();
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -60);
  await page.keyboard.up('Control');
  await waitUntil('the wheel', async () => (await sizeOf()).width > 1_000);
  await zoom.selectOption('Fit to page');
  const room = (await column.boundingBox()) ?? assert.fail();
  await waitUntil(
    'the height of the window',
    async () => Math.abs((await sizeOf()).height - room.height) < 3,
  );
  await dialog.getByRole('button', { name: 'Rotate clockwise' }).click();
  await waitUntil('the rotation', async () => (await sizeOf()).width > (await sizeOf()).height);
  await zoom.selectOption('Fit to width');
  await waitUntil('the width of the window', async () => room.width - (await sizeOf()).width < 24);
});

test('two fingers zoom the pages of a PDF, and the page around them stays as it is', inFull, async () => {
  const { page, dialog } = await open('book.pdf', PHONE);
  const sheet = dialog.getByRole('group', { name: 'Page 1', exact: true });
  const widthOf = async () => (await sheet.boundingBox())?.width ?? assert.fail();
  await dialog.getByText('This is line 1.').waitFor();
  const before = await widthOf();
  await dialog.getByRole('region', { name: 'book.pdf' }).evaluate((target) => {
    const send = (type: string, gap: number) => {
      const touches = [0, 1].map(
        (at) => new Touch({ identifier: at, target, clientX: 180 + (at - 0.5) * gap, clientY: 300 }),
      );
      const isOver = type === 'touchend';
      const event = {
        bubbles: true,
        cancelable: true,
        touches: isOver ? [] : touches,
        changedTouches: touches,
      };
      target.dispatchEvent(new TouchEvent(type, event));
    };
    send('touchstart', 80);
    for (const gap of [100, 120, 140, 160]) send('touchmove', gap);
    send('touchend', 160);
  });
  await waitUntil('twice the width', async () => Math.abs((await widthOf()) / before - 2) < 0.1);
  assert.equal(await page.evaluate('visualViewport.scale'), 1);
  // The enlarged page scrolls sideways, and does not lead to the next file.
  await dialog.getByText('book.pdf').first().waitFor();
});

test('links and the outline of a PDF lead to its pages, and nothing in it runs', async () => {
  const { page, dialog } = await open('linked.pdf');
  page.on('dialog', () => assert.fail('a script ran'));
  await dialog.getByText('This is line 1.').waitFor();
  const outside = dialog.locator('.annotationLayer a[href^="https:"]');
  await outside.waitFor();
  assert.deepEqual(
    await outside.evaluateAll((all) =>
      all.map((each) => [each.getAttribute('href'), each.getAttribute('target')]),
    ),
    [['https://example.org/village', '_blank']],
  );
  assert.match((await outside.getAttribute('rel')) ?? '', /noopener/);
  const addresses = await dialog
    .locator('.annotationLayer a')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  assert.equal(addresses.filter((each) => !/^(?:#|https:|$)/.test(each)).length, 0, addresses.join(' '));
  await dialog.locator('.annotationLayer [data-internal-link] a').first().click();
  await untilAt(dialog, 7);
  await dialog.getByRole('button', { name: 'Contents' }).click();
  await dialog.getByRole('navigation', { name: 'Contents' }).getByRole('button', { name: 'The end' }).click();
  await untilAt(dialog, 12);
  await visit.checkAccessible();
});

test(
  'the preview shows Chinese text and scans whose fonts and decoders are not in the PDF',
  inFull,
  async () => {
    const { dialog } = await open('special.pdf');
    await dialog.getByText('中文').waitFor();
    const middle = await (await pictureOf(dialog, 2)).evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      return [
        ...(canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? []),
      ];
    });
    assert.deepEqual(middle, [0, 0, 0, 255]);
  },
);

test('the preview says that a PDF is damaged, and offers it as a download', inFull, async () => {
  const { dialog } = await open('broken.pdf', PHONE);
  await dialog.getByText("This file is damaged, or isn't what its name says.").waitFor();
  await visit.checkAccessible();
  assert.equal(await dialog.getByRole('button', { name: 'Download' }).count(), 2);
});

test('the preview asks for the password of a PDF until it is right', async () => {
  const { dialog } = await open('secret.pdf');
  const field = dialog.getByRole('textbox', { name: 'Password' });
  await field.fill('guess');
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Open' }).click();
  await dialog.getByText('This password is wrong.').waitFor();
  await field.fill('sesame');
  await field.press('Enter');
  await dialog.getByText('Between us').waitFor();
});

test('the preview loads only the parts of a large PDF that it shows', async () => {
  const page = await begin();
  const parts: number[] = [];
  page.on('request', (request) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers().range ?? '') ?? [];
    if (from !== undefined) parts.push(Number(to) - Number(from) + 1);
  });
  await visit.logIn(alice, '/drive/Papers');
  await page.getByRole('row', { name: 'large.pdf' }).dblclick();
  const dialog = page.getByRole('dialog', { name: 'large.pdf' });
  await dialog.getByText('of 25').waitFor();
  await dialog.getByText('This is line 1.').waitFor();
  const loaded = parts.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(loaded > 0 && loaded < 3_000_000, `${loaded} bytes`);
});

test('an open PDF stays open when a part of it fails to load', async () => {
  const { page, dialog } = await open('large.pdf');
  await dialog.getByText('This is line 1.').waitFor();
  let failures = 0;
  const fail = async (route: Route) => {
    if (failures > 0 || route.request().headers().range === undefined) return await route.continue();
    failures += 1;
    await route.fulfill({ status: 503 });
  };
  await page.route('**/*', fail);
  const field = dialog.getByRole('textbox', { name: 'Page number' });
  await field.fill('13');
  await field.press('Enter');
  await dialog.getByText('The long page').waitFor();
  assert.equal(failures, 1);
  await page.unrouteAll();
});

test('the outline of a PDF closes after a choice on a phone', async () => {
  const { dialog } = await open('linked.pdf', PHONE);
  await dialog.getByText('This is line 1.').waitFor();
  await dialog.getByRole('button', { name: 'Contents' }).tap();
  const outline = dialog.getByRole('navigation', { name: 'Contents' });
  await outline.getByRole('button', { name: 'The end' }).tap();
  await untilAt(dialog, 12);
  await outline.waitFor({ state: 'detached' });
});

test('reads a PDF in a worker that can load our own scripts and nothing else', async () => {
  const page = await begin();
  const answered = page.waitForResponse(/\/pdf-worker-[\w-]+\.js$/);
  await visit.logIn(alice, '/drive/Papers');
  await page.getByRole('row', { name: 'book.pdf' }).dblclick();
  await page.getByText('This is line 1.').waitFor();
  const policy = (await answered).headers()['content-security-policy'];
  assert.equal(policy, "script-src 'self'; default-src 'none'; frame-ancestors 'none'");
});

test('visitors of links see a PDF in the same viewer, and a limited link counts one use', async () => {
  const { token } = await linkFolder(alice, folder);
  const page = await begin();
  await page.goto(`/f/${token}`);
  await page.getByText('book.pdf').click();
  await page.getByText('of 12').waitFor();
  await page.getByText('This is line 1.').waitFor();
  await visit.checkAccessible();
  const body = { fileId: large.id, maxDownloads: 5 };
  const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body });
  await page.goto(`/s/${share.token}`);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByText('of 25').waitFor();
  await page.getByText('This is line 1.').waitFor();
  const field = page.getByRole('textbox', { name: 'Page number' });
  await field.fill('25');
  await field.press('Enter');
  await page.getByText('This is line 12.').waitFor();
  await visit.checkAccessible();
  const after = await alice.ask<{ downloadCount: number }>('GET', `/api/v2/shares/${share.token}`);
  assert.equal(after.downloadCount, 1);
});
