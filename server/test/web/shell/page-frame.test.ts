// tier: default
// runs on: sqlite
// needs: browser
// What all pages have in common, and the bar of phones.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { makePng } from '../../support/media/pictures.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const UPRIGHT = { ...PHONE, viewport: { width: 390, height: 780 } };

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/Pictures/red.png', makePng(8, 8), 'image/png');

const PAGES = [
  ...['/drive', '/recent', '/photos', '/starred', '/shared', '/drives', '/search?q=red', '/bin', '/tasks'],
  ...[
    '/profile',
    '/profile/security',
    '/profile/devices',
    '/profile/apps',
    '/connect',
    '/save-shared',
    '/admin',
    '/transfer',
  ],
];

/** Where the title is, and how large its text is. */
async function placeOf(title: Locator) {
  await title.waitFor();
  return title.evaluate((element) => {
    const { x, y } = element.getBoundingClientRect();
    const { fontSize, lineHeight, fontWeight } = getComputedStyle(element);
    return { x, y, fontSize, lineHeight, fontWeight };
  });
}

describe('the title of a page', () => {
  for (const [screen, options] of [
    ['laptop', {}],
    ['phone', UPRIGHT],
  ] as const) {
    test(
      `has the same place and size on every page of a ${screen}`,
      screen === 'laptop' ? {} : inFull,
      async () => {
        const { page } = await (await begin(options)).logIn(alice);
        const title = page.getByRole('heading', { level: 1 });
        await row(page, 'Pictures').waitFor();
        const expected = await placeOf(title);
        assert.deepEqual(
          [expected.fontSize, expected.lineHeight, expected.fontWeight],
          ['24px', '32px', '600'],
        );
        for (const address of PAGES) {
          await page.goto(address);
          if (address === '/photos') await page.getByRole('gridcell', { name: 'red.png' }).waitFor();
          assert.deepEqual(await placeOf(title), expected, address);
        }
        await page.goto('/drive/Pictures');
        const { x, ...others } = await placeOf(title);
        assert.deepEqual({ ...others, x: expected.x }, expected);
        assert.ok(x > expected.x, 'the way to the folder is before its name');
      },
    );
  }
});

describe('the bar of a phone', () => {
  test('adds to the shown folder, and to the files of the user from other pages', async () => {
    const visit = await begin(UPRIGHT);
    // As on phones.
    await visit.addScript('window.showOpenFilePicker = undefined');
    const { page } = await visit.logIn(alice, '/recent');
    const bar = page.getByRole('navigation', { name: 'Main navigation' });
    const add = bar.getByRole('button', { name: 'Add' });
    await add.tap();
    await page.waitForURL('**/drive');
    const upload = page.getByRole('menuitem', { name: 'Upload files…' }).and(page.locator(':enabled'));
    await upload.waitFor();
    await visit.checkAccessible();
    const chooser = page.waitForEvent('filechooser');
    await upload.tap();
    const letter = { name: 'letter.txt', mimeType: 'text/plain', buffer: Buffer.from('Dear all') };
    await (await chooser).setFiles([letter]);
    await row(page, 'letter.txt').waitFor();
    const [tray, edge] = await Promise.all([
      page.getByRole('region', { name: 'Uploads' }).boundingBox(),
      bar.boundingBox(),
    ]);
    assert.ok(tray && edge && tray.y + tray.height <= edge.y, 'the tray is above the bar');
    await visit.checkAccessible();
    await row(page, 'Pictures').getByText('Pictures').tap();
    await row(page, 'red.png').waitFor();
    await add.tap();
    await page.getByRole('menuitem', { name: 'New folder' }).tap();
    await page.getByLabel('Folder name').fill('Alps');
    await page.keyboard.press('Enter');
    await row(page, 'Alps').waitFor();
    await bar.getByRole('link', { name: 'Photos' }).tap();
    await page.getByRole('heading', { name: 'Photos', level: 1 }).waitFor();
    assert.equal(await bar.locator('[aria-current]').textContent(), 'Photos');
  });

  test('leaves room for the list, and for the keyboard', inFull, async () => {
    const { page } = await (await begin(UPRIGHT)).logIn(alice, '/drive');
    await row(page, 'Pictures').waitFor();
    const bar = page.getByRole('navigation', { name: 'Main navigation' });
    const [list, edge] = await Promise.all([page.getByRole('grid').boundingBox(), bar.boundingBox()]);
    assert.ok(list && edge && list.y + list.height <= edge.y, 'the list ends above the bar');
    assert.equal(edge.y + edge.height, 780);
    assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0);
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    await page.getByRole('searchbox').fill('x');
    await bar.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Leave search' }).tap();
    await bar.waitFor();
  });

  test(
    'has room for a finger on each of its five places, even with text at twice the size',
    inFull,
    async () => {
      const visit = await begin({ ...PHONE, colorScheme: 'dark' });
      const tools = await visit.openTools();
      await tools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
      const { page } = await visit.logIn(alice, '/drive');
      const bar = page.getByRole('navigation', { name: 'Main navigation' });
      const places = bar.getByRole('link').or(bar.getByRole('button'));
      await places.first().waitFor();
      const boxes = await Promise.all((await places.all()).map((place) => place.boundingBox()));
      assert.equal(boxes.length, 5);
      for (const box of boxes) {
        assert.ok(box && box.width >= 44 && box.height >= 44, `${box?.width} x ${box?.height}`);
        assert.ok(box.x >= 0 && box.x + box.width <= 360);
      }
      await visit.checkAccessible();
      await tools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
    },
  );
});
