// tier: full
// runs on: sqlite
// needs: browser
// PDFs in a browser without a built-in viewer, as on most phones.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startHoldall } from '../../support/app/holdall.ts';
import { ENCRYPTED, linePage, makePdf } from '../../support/documents/pdf-files.ts';
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
const book = await alice.upload('/Papers/book.pdf', makePdf(lines), 'application/pdf');
await alice.upload('/Papers/special.pdf', makePdf([chinese, scan]), 'application/pdf');
await alice.upload('/Papers/broken.pdf', '%PDF-1.7\nnothing of that kind', 'application/pdf');
await alice.upload('/Papers/secret.pdf', makePdf(lines, ENCRYPTED), 'application/pdf');
const filler = { content: `${' '.repeat(6_000_000)}\n${linePage('The long page').content}` };
await alice.upload('/Papers/large.pdf', makePdf([...lines, filler, ...lines]), 'application/pdf');
let visit: Visit;
afterEach(async () => {
  assert.deepEqual(await visit.page.evaluate('globalThis.violations'), []);
  visit.checkClean();
});

const WATCH = `Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false });
globalThis.violations = [];
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
    Array.from(document.querySelectorAll('[role="group"]:has(> canvas)'), (each) =>
      Number(each.getAttribute('aria-label')?.slice('Page '.length)),
    ),
  );
}

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  test(`the preview draws only the pages of a PDF near the view (${JSON.stringify(options)})`, async () => {
    const { page, dialog } = await open('book.pdf', options);
    await dialog.getByText('Page 1 of 12').waitFor();
    await dialog.getByText('This is line 1.').waitFor();
    await page.locator('canvas[data-drawn]').first().waitFor();
    assert.deepEqual(await listDrawn(page), [1, 2, 3, 4]);
    const hasInk = await page
      .locator('canvas')
      .first()
      .evaluate((canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return false;
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
        return data?.some((value, index) => index % 4 === 0 && value < 100) === true;
      });
    assert.ok(hasInk);
    await visit.checkAccessible();
    const column = dialog.getByRole('region', { name: 'book.pdf' });
    await column.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await dialog.getByText('Page 12 of 12').waitFor();
    await dialog.getByText('This is line 12.').waitFor();
    assert.deepEqual(await listDrawn(page), [10, 11, 12]);
  });
}

test('the preview keeps the position in a PDF when its pages are enlarged', async () => {
  const { page, dialog } = await open('book.pdf');
  const column = dialog.getByRole('region', { name: 'book.pdf' });
  await dialog.getByText('This is line 1.').waitFor();
  await column.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
  await dialog.getByText('Page 7 of 12').waitFor();
  await dialog.getByRole('button', { name: 'Zoom in' }).click();
  await dialog.getByText('150 %').waitFor();
  await dialog.getByText('This is line 7.').waitFor();
  assert.ok((await listDrawn(page)).length <= 6);
  await dialog.getByText('Page 7 of 12').waitFor();
});

test('the preview shows Chinese text and scans whose fonts and decoders are not in the PDF', async () => {
  const { page, dialog } = await open('special.pdf');
  await dialog.getByText('中文').waitFor();
  await page.locator('canvas[data-drawn]').nth(1).waitFor();
  const middle = await page
    .locator('canvas')
    .nth(1)
    .evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return [];
      return [
        ...(canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data ?? []),
      ];
    });
  assert.deepEqual(middle, [0, 0, 0, 255]);
});

for (const [name, sentence] of [
  ['broken.pdf', "This file is damaged, or isn't what its name says."],
  ['secret.pdf', 'This PDF needs a password. Download it to open it in another app.'],
] as const) {
  test(`the preview says why ${name} is not shown, and offers it as a download`, async () => {
    const { dialog } = await open(name, PHONE);
    await dialog.getByText(sentence).waitFor();
    await visit.checkAccessible();
    assert.equal(await dialog.getByRole('button', { name: 'Download' }).count(), 2);
  });
}

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
  await dialog.getByText('Page 1 of 25').waitFor();
  await dialog.getByText('This is line 1.').waitFor();
  const loaded = parts.reduce((sum, bytes) => sum + bytes, 0);
  assert.ok(loaded > 0 && loaded < 3_000_000, `${loaded} bytes`);
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

test('the preview asks visitors of a link before it shows them a PDF', async () => {
  const { token } = await linkFolder(alice, folder);
  const page = await begin();
  await page.goto(`/f/${token}`);
  await page.getByText('book.pdf').click();
  await page.getByRole('button', { name: 'Show preview' }).click();
  await page.getByText('Page 1 of 12').waitFor();
  await page.getByText('This is line 1.').waitFor();
  await visit.checkAccessible();
  const body = { fileId: book.id, maxDownloads: 5 };
  const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body });
  await page.goto(`/s/${share.token}`);
  await page.getByRole('button', { name: 'Show preview' }).click();
  await page.getByText('Page 1 of 12').waitFor();
  await page.getByText('This is line 1.').waitFor();
  await visit.checkAccessible();
  const after = await alice.ask<{ downloadCount: number }>('GET', `/api/v2/shares/${share.token}`);
  assert.equal(after.downloadCount, 1);
});
