// tier: default
// runs on: sqlite
// needs: browser
// What every page looks like: its font, its colours, its notifications and its empty states.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

/** The parts of the font that a page has loaded, such as `latin`. */
function watchFonts(page: Page): Set<string> {
  const parts = new Set<string>();
  page.on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    if (!pathname.endsWith('.woff2')) return;
    assert.equal(origin, holdall.url);
    parts.add(/\/inter-(.+)-wght-normal-/.exec(pathname)?.[1] ?? pathname);
  });
  return parts;
}

/** Loads what the shown letters need. */
async function untilFontsLoaded(page: Page): Promise<void> {
  await page.evaluate(async () => void (await document.fonts.ready));
}

describe('the font', () => {
  test('comes from this server, in the parts that the letters on the page need', async () => {
    const person = await holdall.register('fonts');
    // A context of its own: another visit may have loaded the font.
    const visit = await begin({ colorScheme: 'dark', timezoneId: 'Asia/Tokyo' });
    const { page } = visit;
    const parts = watchFonts(page);
    await visit.logIn(person);
    await row(page, 'Documents').waitFor();
    await untilFontsLoaded(page);
    assert.deepEqual([...parts], ['latin']);
    assert.ok(await page.evaluate(() => document.fonts.check('600 1rem "Inter Variable"')));
    await person.mkdir('/照片');
    await row(page, '照片').waitFor();
    await untilFontsLoaded(page);
    assert.deepEqual([...parts], ['latin'], 'Chinese letters have a font of the system');
    await person.mkdir('/Фото');
    await row(page, 'Фото').waitFor();
    await untilFontsLoaded(page);
    assert.deepEqual([...parts], ['latin', 'cyrillic']);
  });

  test('changes no line when it replaces the font of the system', async () => {
    const person = await holdall.register('swap');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(person);
    await row(page, 'Documents').waitFor();
    await untilFontsLoaded(page);
    const [own, fallback] = await page.evaluate(() =>
      ['"Inter Variable"', '"Inter Fallback"'].map((family) => {
        const text = document.createElement('span');
        text.style.font = `16px/normal ${family}`;
        text.textContent = 'Deleted items stay here for some days, in case you want to restore them.';
        document.body.append(text);
        const { width, height } = text.getBoundingClientRect();
        text.remove();
        return { width, height };
      }),
    );
    assert.ok(own !== undefined && fallback !== undefined);
    assert.ok(Math.abs(own.width / fallback.width - 1) < 0.02, `${own.width} and ${fallback.width} px wide`);
    assert.ok(Math.abs(own.height - fallback.height) <= 1, `${own.height} and ${fallback.height} px high`);
  });
});

describe('notifications', () => {
  test('have the colour of their kind, and at most three are shown', async () => {
    const person = await holdall.register('toasts');
    const names = ['North', 'East', 'South', 'West'];
    for (const name of names) await person.mkdir(`/${name}`);
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(person);
    for (const name of names) {
      await row(page, name).getByRole('checkbox').click({ force: true });
      await page.keyboard.press('Delete');
      await row(page, name).waitFor({ state: 'detached' });
    }
    const notices = page.locator('.mantine-Notification-root');
    await notices.nth(2).waitFor();
    assert.equal(await notices.count(), 3);
    const [edge, green] = await notices.first().evaluate((notice) => {
      const style = getComputedStyle(notice);
      return ['--notification-color', '--mantine-color-green-filled'].map((name) =>
        style.getPropertyValue(name),
      );
    });
    assert.ok(green !== '' && edge === green, `${edge} instead of ${green}`);
    await visit.checkAccessible();
  });
});

const EMPTY_PAGES = [
  { address: '/photos', title: 'No photos yet', action: 'Upload photos' },
  { address: '/starred', title: 'No starred items yet', action: 'Go to My files' },
  { address: '/recent', title: 'Nothing yet', action: 'Go to My files' },
  { address: '/shared', title: /./, action: 'Share something' },
  { address: '/tasks', title: 'No tasks', action: 'Go to My files' },
];

describe('an empty page', () => {
  for (const [look, options] of [
    ['light', {}],
    ['dark', { ...PHONE, colorScheme: 'dark' }],
  ] as const) {
    test(`has a drawing, and leads to the files (${look})`, look === 'light' ? {} : inFull, async () => {
      const person = await holdall.register('empty');
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(person, '/starred');
      for (const { address, title, action } of EMPTY_PAGES) {
        await page.goto(address);
        await page.getByRole('heading', { name: title, level: 2 }).waitFor();
        await page.locator('svg ellipse').waitFor();
        await visit.checkAccessible();
        await page.getByRole('link', { name: action }).click();
        await row(page, 'Documents').waitFor();
      }
      await page.goto('/search?q=nothing&kind=image');
      await page.getByRole('button', { name: 'Clear filters' }).last().click();
      await page.waitForURL((url) => !url.search.includes('kind'));
    });
  }
});
