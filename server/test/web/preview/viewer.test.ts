// tier: full
// runs on: sqlite
// needs: browser
// What the viewer does besides showing a file: it plays by key, prints, shows details, and protects a text
// that is being edited.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { startHoldall } from '../../support/app/holdall.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { buildExif, little, makePngWithExif } from '../../support/media/exif-files.ts';
import { makeWav } from '../../support/media/media-files.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const alice = await holdall.register('alice');
const lines = Array.from({ length: 400 }, (_, index) => `line ${index}`);
const show = await alice.mkdir('/Show');
await alice.upload('/Show/a.wav', makeWav(20), 'audio/wav');
await alice.upload('/Show/b.png', makePng(640, 480), 'image/png');
await alice.upload('/Show/c.wav', makeWav(20), 'audio/wav');
await alice.upload('/Texts/lines.txt', lines.join('\n'), 'text/plain');
await alice.upload('/Texts/lines.md', lines.map((line) => `- ${line}`).join('\n'), 'text/markdown');
const cells = Array.from({ length: 60 }, (_, index) => `a long heading ${index}`).join(',');
await alice.upload('/Tables/wide.csv', `${cells}\n${cells}`, 'text/csv');
await alice.upload('/Tables/zebra.txt', 'stripes', 'text/plain');
await alice.upload('/Texts/lines.csv', lines.map((line) => `${line},b`).join('\n'), 'text/csv');
let visit: Visit;
afterEach(() => visit.checkClean());

const exposure = buildExif({
  main: [
    [0x010f, 2, 'Canon'],
    [0x0110, 2, 'Canon EOS R5'],
  ],
  details: [
    [0x829a, 5, little(4, 1, 250), 1],
    [0x829d, 5, little(4, 28, 10), 1],
    [0x8827, 3, little(2, 400), 1],
  ],
  gps: [
    [1, 2, 'S'],
    [2, 5, little(4, 33, 1, 30, 1, 0, 1), 3],
    [3, 2, 'E'],
    [4, 5, little(4, 151, 1, 15, 1, 0, 1), 3],
  ],
});
const photo = await alice.upload('/Photos/a.png', makePngWithExif(exposure), 'image/png');
await alice.upload('/Photos/b.png', makePng(640, 480), 'image/png');
await waitFor(
  async () => (await alice.details(photo)).metadata,
  (metadata) => 'media:camera' in metadata,
  'the metadata',
);

async function open(folder: string, name: string, options: Parameters<typeof Visit.begin>[2] = {}) {
  visit = await (await Visit.begin(browser, holdall, options)).logIn(alice, `/drive/${folder}`);
  const row = visit.page.getByRole('row', { name });
  await (options.isMobile === true ? row.tap() : row.dblclick());
  const dialog = visit.page.getByRole('dialog', { name });
  await dialog.waitFor();
  return { page: visit.page, dialog };
}

async function untilPlaying(page: Page, isPlaying: boolean): Promise<void> {
  await page.waitForFunction((wanted) => {
    const player = document.querySelector('audio');
    return player !== null && player.readyState > 0 && player.paused !== wanted;
  }, isPlaying);
}

test('Space plays and pauses what a double click has opened, and the arrow keys still page', async () => {
  const { page, dialog } = await open('Show', 'a.wav');
  await untilPlaying(page, false);
  await page.keyboard.press('Space');
  await untilPlaying(page, true);
  await page.keyboard.press('Space');
  await untilPlaying(page, false);
  assert.equal(await dialog.count(), 1);
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'b.png' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'c.wav' }).waitFor();
  await untilPlaying(page, false);
  await page.keyboard.press('Space');
  await untilPlaying(page, true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('Space also plays the files of a folder link', async () => {
  const { token } = await linkFolder(alice, show);
  visit = await Visit.begin(browser, holdall);
  await visit.page.goto(`/f/${token}`);
  await visit.page.getByText('a.wav').click();
  // Waits for the player, because the file loads nothing before it is played.
  await visit.page.locator('audio').waitFor();
  await visit.page.keyboard.press('Space');
  await untilPlaying(visit.page, true);
});

for (const [name, role] of [
  ['lines.txt', 'region'],
  ['lines.md', 'list'],
  ['lines.csv', 'table'],
] as const) {
  test(`${name} is printed from its first to its last line, and nothing else is`, async () => {
    const { page, dialog } = await open('Texts', name, { colorScheme: 'dark' });
    // Waits for the rendered form: before that the file is shown as plain text.
    await dialog.getByRole(role).first().getByText('line 399').waitFor();
    await page.emulateMedia({ media: 'print' });
    const hidden = await dialog
      .getByRole('region', { name })
      .evaluate((text) => [
        text.scrollHeight - text.clientHeight,
        Math.max(0, Math.floor(text.getBoundingClientRect().bottom - document.documentElement.scrollHeight)),
      ]);
    assert.deepEqual(hidden, [0, 0]);
    assert.equal(await dialog.getByRole('button', { name: 'Close' }).isVisible(), false);
    assert.equal(await page.getByRole('navigation').first().isVisible(), false);
    const pages = (await page.pdf()).toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    assert.ok(pages.length > 5, `${pages.length} pages`);
  });
}

test('a text that is being edited cannot be renamed, shared, deleted or left with an arrow key', async () => {
  const { page, dialog } = await open('Texts', 'lines.txt');
  await dialog.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByRole('textbox').waitFor();
  for (const name of ['Rename', 'Share', 'Delete']) {
    assert.equal(await dialog.getByRole('button', { name }).isDisabled(), true, name);
  }
  assert.equal(await dialog.getByRole('button', { name: /^(?:Next|Previous)/ }).count(), 0);
  await dialog.getByRole('button', { name: 'Details' }).focus();
  await page.keyboard.press('ArrowLeft');
  await dialog.getByRole('button', { name: 'Done' }).click();
  assert.equal(await dialog.getByRole('button', { name: 'Rename' }).isEnabled(), true);
  await dialog.getByRole('button', { name: /^Previous/ }).waitFor();
});

test('the arrow keys scroll a wide table, and otherwise change the page', async () => {
  const { page, dialog } = await open('Tables', 'wide.csv');
  const cell = dialog.getByRole('columnheader', { name: 'a long heading 59' });
  await cell.waitFor();
  await dialog.getByRole('columnheader', { name: 'a long heading 0', exact: true }).click();
  for (let press = 0; press < 5; press += 1) await page.keyboard.press('ArrowRight');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role="dialog"] *')].some((element) => element.scrollLeft > 0),
  );
  assert.equal(await dialog.count(), 1);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('dialog', { name: 'zebra.txt' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await dialog.waitFor();
});

test('one step back closes the viewer of a folder link, however many files were shown', async () => {
  const { token } = await linkFolder(alice, show);
  visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await page.goto('/login');
  await page.goto(`/f/${token}`);
  const openAndPage = async () => {
    await page.getByText('b.png').click();
    await page.getByRole('dialog', { name: 'b.png' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'c.wav' }).waitFor();
  };
  await openAndPage();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).pathname, `/f/${token}`);
  await openAndPage();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.goBack();
  await page.waitForURL('**/login');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the details beside a picture follow it, and Escape closes them first, ${colorScheme}`, async () => {
    const { page, dialog } = await open('Photos', 'a.png', { colorScheme });
    const button = dialog.getByRole('button', { name: 'Details', exact: true });
    await button.click();
    const details = page.getByRole('dialog').getByRole('complementary', { name: 'Details' });
    for (const text of ['Canon EOS R5', '1/250 s · f/2.8 · ISO 400']) await details.getByText(text).waitFor();
    const place = details.getByRole('link', { name: '-33.50000, 151.25000' });
    assert.equal(await place.getAttribute('href'), 'geo:-33.5,151.25');
    assert.equal(await details.locator('img').count(), 0, 'the picture is not shown twice');
    const [picture, panel] = [
      await dialog.getByRole('img', { name: 'a.png' }).boundingBox(),
      await details.boundingBox(),
    ];
    assert.ok(picture && panel && picture.x + picture.width <= panel.x, 'the picture is beside the panel');
    await visit.checkAccessible();
    await page.keyboard.press('ArrowRight');
    await details.getByRole('heading', { name: 'b.png' }).waitFor();
    await details.getByText('640 × 480 pixels').waitFor();
    await page.keyboard.press('ArrowLeft');
    await details.getByText('Canon EOS R5').waitFor();
    await details.getByRole('button', { name: 'Close details' }).focus();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.locator('button[aria-expanded=false]:focus').and(button).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
}

test('a question in the details panel receives Escape and the arrow keys', async () => {
  const { id } = await alice.upload('/Versions/a.txt', 'one', 'text/plain');
  await alice.upload('/Versions/b.txt', 'other', 'text/plain');
  await alice.ask('PUT', `/api/v2/files/${id}/content`, { body: 'two' });
  const { page, dialog } = await open('Versions', 'a.txt');
  await dialog.getByRole('button', { name: 'Details', exact: true }).click();
  const details = dialog.getByRole('complementary', { name: 'Details' });
  await details.getByRole('button', { name: /^Delete version/ }).click();
  const question = page.getByRole('dialog', { name: 'Delete this version?' });
  await question.waitFor();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await details.getByRole('heading', { name: 'a.txt' }).waitFor();
});

test('a phone shows the details of a picture in a drawer from below', async () => {
  const { page, dialog } = await open('Photos', 'a.png', PHONE);
  await dialog.getByRole('button', { name: 'Details', exact: true }).tap();
  const drawer = page.getByRole('dialog', { name: 'Details' });
  await drawer.getByText('Canon EOS R5').waitFor();
  assert.equal(await drawer.locator('img').count(), 0, 'the picture is not shown twice');
  await page.waitForFunction(() => {
    const shown = [...document.querySelectorAll('[role=dialog]')].at(-1)?.getBoundingClientRect();
    return shown !== undefined && shown.top > 0 && Math.abs(shown.bottom - innerHeight) < 1;
  });
  await visit.checkAccessible();
  await page.goBack();
  await drawer.waitFor({ state: 'detached' });
  await dialog.waitFor();
});
