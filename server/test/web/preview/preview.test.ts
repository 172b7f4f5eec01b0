// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { makeHeic } from '../../support/media/heic.ts';
import { makeWav } from '../../support/media/media-files.ts';
import { makePng, SVG } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';

const MIB = 1_048_576;

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const alice = await holdall.register('alice');
await alice.upload('/Show/a.png', makePng(640, 480), 'image/png');
await alice.upload('/Show/b.svg', SVG, 'image/svg+xml');
await alice.upload('/Show/c.wav', makeWav(2), 'audio/wav');
await alice.upload('/Show/d.html', '<script>alert(1)</script><b>bold</b>', 'text/html');
await alice.upload('/Show/e.log', 'line of a log\n'.repeat(100_000), 'text/plain');
await alice.upload('/Show/f.bin', new Uint8Array([1, 2, 3]), 'application/octet-stream');
await alice.upload('/Show/g.jpg', 'no picture at all', 'image/jpeg');
await alice.upload('/Show/h.pdf', '<script>alert(1)</script>', 'application/pdf');
let visit: Visit;
afterEach(() => visit.checkClean());

async function open(name: string, options: Parameters<typeof Visit.begin>[2] = {}, on = browser) {
  visit = await (await Visit.begin(on, holdall, options)).logIn(alice, '/drive/Show');
  const { page } = visit;
  const row = page.getByRole('row', { name });
  if (options.isMobile === true) await row.tap();
  else await row.dblclick();
  const dialog = page.getByRole('dialog', { name });
  await dialog.waitFor();
  return { page, row, dialog };
}

async function untilShown(page: Page, name: string): Promise<void> {
  const picture = page.getByRole('dialog').getByRole('img', { name });
  await picture.waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).waitFor();
  assert.ok(
    await picture.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth > 0),
  );
}

describe('the preview', () => {
  test('shows a picture, pages by key and button, and returns the focus', async () => {
    const { page, dialog } = await open('a.png');
    await untilShown(page, 'a.png');
    await dialog.getByText('1 of 8').waitFor();
    await visit.checkAccessible();
    assert.equal(await page.getByRole('button', { name: 'Previous file' }).count(), 0);
    await page.keyboard.press('ArrowRight');
    await untilShown(page, 'b.svg');
    await page.getByRole('button', { name: 'Next file' }).click();
    await page.getByRole('dialog', { name: 'c.wav' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await untilShown(page, 'b.svg');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(':focus').getByRole('row', { name: 'b.svg' }).waitFor();
  });

  test('shows a HEIC in every browser: in the drive, behind a folder link and on the page of a share', async () => {
    const file = await alice.upload('/Phone/IMG_1.HEIC', makeHeic(), 'image/heic');
    const folder = (await alice.list('/')).items.find(({ filename }) => filename === 'Phone');
    const { token } = await linkFolder(alice, folder ?? assert.fail());
    const share = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId: file.id } });
    visit = await (await Visit.begin(browser, holdall)).logIn(alice, `/drive/Phone?preview=${file.id}`);
    await untilShown(visit.page, 'IMG_1.HEIC');
    visit.checkClean();
    visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    const isLoaded = (element: Element) =>
      element instanceof HTMLImageElement && element.naturalWidth === 400;
    await page.goto(`/s/${share.token}`);
    const shared = page.getByRole('img', { name: 'IMG_1.HEIC' });
    await shared.waitFor();
    await waitFor(() => shared.evaluate(isLoaded), Boolean, 'the picture of the share');
    await page.goto(`/f/${token}`);
    await page.getByRole('button', { name: 'IMG_1.HEIC' }).first().click();
    const linked = page.getByRole('dialog').getByRole('img', { name: 'IMG_1.HEIC' });
    await linked.waitFor();
    await waitFor(() => linked.evaluate(isLoaded), Boolean, 'the picture behind the link');
  });

  test('has an address and a title: Back closes it, and a reload shows the file again', inFull, async () => {
    const { page } = await open('a.png');
    await untilShown(page, 'a.png');
    await untilTitle(page, 'a.png – Holdall');
    const address = page.url();
    assert.match(address, /\/drive\/Show\?preview=\d+$/);
    await page.keyboard.press('ArrowRight');
    await untilShown(page, 'b.svg');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'b.svg' }).waitFor();
    await untilTitle(page, 'Show – Holdall');
    await page.goForward();
    await untilShown(page, 'b.svg');
    await page.goto(address);
    await untilShown(page, 'a.png');
    await page.getByText('1 of 8').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await page.goto(address.replace(/\d+$/, '999999'));
    await page.getByRole('alert').getByText('That no longer exists.').waitFor();
    await page.getByRole('row', { name: 'a.png' }).waitFor();
  });

  test('shares and deletes the shown file', inFull, async () => {
    await alice.upload('/Show/0.png', makePng(32, 32), 'image/png');
    const { page } = await open('0.png');
    await page.getByRole('dialog', { name: '0.png' }).getByRole('button', { name: 'Share' }).click();
    await page.getByRole('dialog', { name: /Share/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: '0.png' }).waitFor();
    await page.getByRole('dialog', { name: '0.png' }).getByRole('button', { name: 'Delete' }).click();
    await untilShown(page, 'a.png');
    await waitFor(
      () => alice.bin(),
      ({ items }) => items.some(({ filename }) => filename === '0.png'),
      'the deleted file in the bin',
    );
  });

  test('zooms a picture and lets it be moved', inFull, async () => {
    const { page } = await open('a.png');
    await untilShown(page, 'a.png');
    const zoom = page.getByRole('dialog').getByRole('status', { name: 'Zoom' });
    const fit = page.getByRole('button', { name: 'Fit to page' });
    await zoom.getByText('100 %', { exact: true }).waitFor();
    assert.ok(await fit.isDisabled());
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.keyboard.press('+');
    await zoom.getByText('225 %', { exact: true }).waitFor();
    const picture = page.getByRole('img', { name: 'a.png' });
    const before = await picture.boundingBox();
    await page.mouse.move(640, 400);
    await page.mouse.down();
    await page.mouse.move(590, 380);
    await page.mouse.up();
    const left = async () => (await picture.boundingBox())?.x ?? 0;
    await waitFor(left, (x) => Math.round((before?.x ?? 0) - x) === 50, 'the picture where the pointer is');
    await fit.click();
    await zoom.getByText('100 %', { exact: true }).waitFor();
    await page.mouse.wheel(0, -500);
    await zoom.getByText('272 %', { exact: true }).waitFor();
  });

  test('shows the zoom relative to the actual size, and turns a picture', inFull, async () => {
    await alice.upload('/Panoramas/wide.png', makePng(4_000, 400), 'image/png');
    visit = await (await Visit.begin(browser, holdall, {})).logIn(alice, '/drive/Panoramas');
    const { page } = visit;
    await page.getByRole('row', { name: 'wide.png' }).dblclick();
    await untilShown(page, 'wide.png');
    const zoom = page.getByRole('dialog').getByRole('status', { name: 'Zoom' });
    await zoom.getByText('32 %', { exact: true }).waitFor();
    const picture = page.getByRole('img', { name: 'wide.png' });
    const sides = async () => {
      const box = await picture.boundingBox();
      return [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)];
    };
    assert.deepEqual(await sides(), [1_280, 128]);
    const actual = page.getByRole('button', { name: 'Actual size' });
    await actual.click();
    await zoom.getByText('100 %', { exact: true }).waitFor();
    assert.ok(await actual.isDisabled());
    await waitFor(sides, ([width]) => width === 4_000, 'the actual size');
    await page.getByRole('button', { name: 'Rotate clockwise' }).click();
    // The expected height is that of the window minus the bar, because a single file has no filmstrip.
    await waitFor(sides, ([width, height]) => height === 664 && width === 66, 'the turned picture');
    await page.keyboard.press('r');
    await waitFor(sides, ([width]) => width === 1_280, 'the picture upside down');
  });

  for (const [device, options] of [
    ['laptop', { colorScheme: 'dark' }],
    ['phone', PHONE],
  ] as const) {
    test(`has a filmstrip of the neighbouring files on a ${device}`, inFull, async () => {
      const { page } = await open('a.png', options);
      await untilShown(page, 'a.png');
      const strip = page.getByRole('navigation', { name: 'More files' });
      await strip.getByRole('button').nth(7).waitFor();
      assert.equal(await strip.getByRole('button').count(), 8);
      assert.equal(await strip.locator('[aria-current]').getAttribute('aria-label'), 'a.png');
      await visit.checkAccessible();
      await strip.getByRole('button', { name: 'b.svg' }).click();
      await untilShown(page, 'b.svg');
      await strip.getByRole('button', { name: 'd.html' }).click();
      await page.getByRole('dialog', { name: 'd.html' }).waitFor();
      await strip.waitFor({ state: 'detached' });
    });
  }

  test('shows text literally and runs nothing in it', async () => {
    const { dialog } = await open('d.html', { colorScheme: 'dark' });
    visit.context.on('dialog', () => assert.fail('a script ran'));
    await dialog.getByText('<script>alert(1)</script><b>bold</b>').waitFor();
    await visit.checkAccessible();
  });

  test('lists an archive with names in an old encoding, which can be changed', async () => {
    const name = Buffer.from('bbe1d2e92e747874', 'hex');
    const archive = forgeZip([{ name, content: 'Dear' }]);
    await alice.upload('/Show/Old/d.zip', new Uint8Array(archive), 'application/zip');
    visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Show/Old');
    const { page } = visit;
    await page.getByRole('row', { name: 'd.zip' }).dblclick();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('cell', { name: '会议.txt', exact: true }).waitFor();
    await dialog.getByLabel('Name encoding').selectOption('koi8-r');
    await dialog.getByRole('cell', { name: '╩АрИ.txt', exact: true }).waitFor();
    await visit.checkAccessible();
  });

  test('renders Markdown, tables and code, and lists an archive, light and dark', inFull, async () => {
    const markdown =
      '# Plan\n\n- [x] sent\n- [ ] paid\n\n<script>alert(1)</script>\n\n[site](https://example.org) [bad](javascript:alert(1))';
    await alice.upload('/Show/More/a.md', markdown, 'text/markdown');
    await alice.upload('/Show/More/b.csv', 'name,size\n"Rome, old",3\n', 'text/csv');
    await alice.upload('/Show/More/c.ts', 'const answer = 42; // why\n', 'video/mp2t');
    const archive = forgeZip([{ name: 'inside/letter.txt', content: 'Dear' }, { name: 'a\u202ecod.exe' }]);
    await alice.upload('/Show/More/d.zip', new Uint8Array(archive), 'application/zip');
    for (const colorScheme of ['light', 'dark'] as const) {
      visit = await (await Visit.begin(browser, holdall, { colorScheme })).logIn(alice, '/drive/Show/More');
      const { page } = visit;
      visit.context.on('dialog', () => assert.fail('a script ran'));
      await page.getByRole('row', { name: 'a.md' }).dblclick();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: 'Plan' }).waitFor();
      assert.equal(await dialog.getByRole('link').count(), 1);
      for (const [task, state] of Object.entries({ sent: 'Done', paid: 'Not done' })) {
        const item = dialog.getByRole('listitem').filter({ hasText: task });
        await item.getByRole('img', { name: state, exact: true }).waitFor();
      }
      await visit.checkAccessible();
      await dialog.getByText('Source').click();
      await dialog.getByText('<script>alert(1)</script>').waitFor();
      await page.getByRole('button', { name: 'Next file' }).click();
      await dialog.getByRole('cell', { name: 'Rome, old' }).waitFor();
      await visit.checkAccessible();
      await page.getByRole('button', { name: 'Next file' }).click();
      const keyword = dialog.locator('.hljs-keyword', { hasText: 'const' });
      await keyword.waitFor();
      const colors = await keyword.evaluate((word) =>
        [word, word.parentElement ?? word].map((each) => getComputedStyle(each).color),
      );
      assert.notEqual(colors[0], colors[1], 'words of code have colours');
      await visit.checkAccessible();
      await page.getByRole('button', { name: 'Next file' }).click();
      await dialog.getByRole('cell', { name: 'inside', exact: true }).waitFor();
      await dialog.getByRole('cell', { name: 'a⟨RLO⟩cod.exe' }).waitFor();
      await visit.checkAccessible();
    }
  });

  test('shows the beginning of a long text, and says so', inFull, async () => {
    const { dialog } = await open('e.log');
    await dialog.getByText('Showing the first 1 MB of 1.4 MB.').waitFor();
    assert.equal((await dialog.getByRole('region').textContent())?.length, MIB);
    await visit.checkAccessible();
  });

  test('plays audio', async () => {
    const { dialog } = await open('c.wav');
    const player = dialog.locator('audio');
    await player.waitFor();
    const look = () =>
      player.evaluate((audio) =>
        audio instanceof HTMLAudioElement
          ? { at: audio.currentTime, all: audio.duration }
          : { at: 0, all: 0 },
      );
    await waitFor(look, ({ all }) => Math.round(all) === 2, 'the length');
    await visit.checkAccessible();
    await player.evaluate(async (audio) => {
      if (audio instanceof HTMLAudioElement) await audio.play();
    });
    await waitFor(look, ({ at }) => at > 0, 'a sound');
  });

  test('shows nothing of a PDF that is a page of HTML', inFull, async () => {
    const { dialog } = await open('h.pdf');
    visit.context.on('dialog', () => assert.fail('a script ran'));
    await dialog.getByText("This file is damaged, or isn't what its name says.").waitFor();
    assert.equal(await dialog.locator('iframe').count(), 0);
    await visit.checkAccessible();
    await dialog.page().keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('requests a new URL when its URL has expired', inFull, async () => {
    const { page, dialog } = await open('f.bin');
    let refusals = 0;
    await visit.page.route('**/_dl/**filename=a.png', (route) => {
      refusals += 1;
      return refusals === 1 ? route.fulfill({ status: 403 }) : route.continue();
    });
    await dialog.getByText('6 of 8').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'a.png' }).dblclick();
    await untilShown(page, 'a.png');
    assert.equal(refusals, 2);
  });

  test('offers a download for what it cannot show', inFull, async () => {
    const { page, dialog } = await open('f.bin');
    await dialog.getByText('No preview for this file.').waitFor();
    await visit.checkAccessible();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).last().click(),
    ]);
    assert.equal(download.suggestedFilename(), 'f.bin');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'g.jpg' }).getByText('No preview for this file').waitFor();
  });

  test('works on a phone, where a swipe pages', inFull, async () => {
    const { page } = await open('a.png', PHONE);
    await untilShown(page, 'a.png');
    await visit.checkAccessible();
    await swipe(page, 300, 60);
    await untilShown(page, 'b.svg');
    await swipe(page, 60, 300);
    await untilShown(page, 'a.png');
    assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth), 360);
    await page.getByRole('button', { name: 'Close' }).tap();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});

describe('the details', () => {
  test('show everything known about a picture, beside its preview', inFull, async () => {
    const { page, dialog } = await open('a.png');
    await dialog.getByRole('button', { name: 'Details' }).click();
    const details = dialog.getByRole('complementary', { name: 'Details' });
    await details.getByText('640 × 480 pixels').waitFor();
    await details.getByText(/^[0-9a-f]{64}$/).waitFor();
    await details.getByText('PNG picture').waitFor();
    await visit.checkAccessible();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('can be copied, and lead to the location', inFull, async () => {
    const { page, dialog } = await open('f.bin', {
      colorScheme: 'dark',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await dialog.getByRole('button', { name: 'Details' }).click();
    const details = dialog.getByRole('complementary', { name: 'Details' });
    await details.getByRole('button', { name: 'Copy checksum' }).click();
    await details.getByRole('button', { name: 'Copied' }).waitFor();
    await visit.checkAccessible();
    const sum = await details.getByText(/^[0-9a-f]{64}$/).textContent();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), sum);
    await details.getByRole('link', { name: 'My files / Show' }).waitFor();
  });
});

/** Swipes across the middle of the page. */
async function swipe(page: Page, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x, y: 360 }],
    });
  await touch('touchStart', from);
  await touch('touchMove', (from + to) / 2);
  await touch('touchMove', to);
  await touch('touchEnd', to);
  await session.detach();
}
