// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { linePage, makePdf } from '../../support/documents/pdf-files.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
let visit: Visit;
afterEach(async () => {
  visit.checkClean();
  await visit.end();
});

const LAPTOP = { viewport: { width: 1280, height: 800 } } as const;

async function photoOf(background: string): Promise<Buffer<ArrayBuffer>> {
  const picture = sharp({ create: { width: 1_600, height: 1_200, channels: 3, background } });
  return Buffer.from(await picture.jpeg().toBuffer());
}

async function open(
  options: Parameters<typeof Visit.begin>[2],
  view: 'list' | 'tiles',
  address = '/drive/Trip',
  prepare: (person: Person) => Promise<unknown> = async () => {},
) {
  const person = await holdall.register('thea');
  await prepare(person);
  await person.upload('/Trip/beach.jpg', await photoOf('#c0a060'));
  await person.upload('/Trip/forest.jpg', await photoOf('#206030'));
  await person.upload('/Trip/broken.jpg', Buffer.from('not a picture'));
  await person.upload('/Trip/notes.txt', 'text');
  visit = await Visit.begin(browser, holdall, options);
  const { page, context } = visit;
  await context.addInitScript(
    (value) => localStorage.setItem('holdall.drive-look', value),
    JSON.stringify({ view }),
  );
  const asked: string[] = [];
  const answers: number[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/thumbnail?')) return;
    asked.push(new URL(response.url()).searchParams.get('size') ?? '');
    answers.push(response.status());
  });
  await visit.logIn(person, address);
  return { person, page, asked, answers };
}

/** The widths of the pictures in the page, once it has that many. */
async function widthsOf(page: Page, count: number): Promise<readonly number[]> {
  await page.waitForFunction((expected) => {
    const images = [...document.querySelectorAll<HTMLImageElement>('main img')];
    return images.length === expected && images.every(({ naturalWidth }) => naturalWidth > 0);
  }, count);
  return page
    .locator('main img')
    .evaluateAll((all) => all.map((each) => (each as HTMLImageElement).naturalWidth));
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [kind, size] of [
    ['a laptop', LAPTOP],
    ['a phone', PHONE],
  ] as const) {
    test(
      `on ${kind}, ${colorScheme}: a list shows thumbnails, and icons for files without one`,
      kind === 'a laptop' && colorScheme === 'light' ? {} : inFull,
      async () => {
        const { page, asked, answers } = await open({ ...size, colorScheme }, 'list');
        assert.deepEqual(await widthsOf(page, 2), [256, 256]);
        assert.deepEqual(new Set(asked), new Set(['256']), 'rows are small');
        await page.waitForFunction(() => document.querySelectorAll('main [role=row] svg').length >= 2);
        await waitUntil('the broken picture was refused', () => answers.includes(415));
        await visit.checkAccessible();
        assert.equal(answers.filter((status) => status === 415).length, 1, 'it is not asked for again');
      },
    );
  }
}

const uploadPapers = async (person: Person) => {
  await person.upload('/Papers/letter.pdf', makePdf([linePage('Dear reader')]));
  await person.upload('/Papers/broken.pdf', 'not a PDF');
};

test('a list shows the first page of a PDF, and an icon for one that cannot be drawn', async () => {
  const { page, answers } = await open(LAPTOP, 'list', '/drive/Papers', uploadPapers);
  assert.deepEqual(await widthsOf(page, 1), [181]);
  await waitUntil('the broken document was refused', () => answers.includes(415));
  await page.getByRole('row', { name: 'broken.pdf' }).locator('svg').first().waitFor();
  assert.equal(answers.filter((status) => status === 415).length, 1, 'it is not asked for again');
});

test('a tile shows a whole page, and a grey area before', inFull, async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { page } = await open(LAPTOP, 'tiles', '/drive', async (person) => {
    await uploadPapers(person);
    await person.upload('/Papers/photo.jpg', await photoOf('#206030'));
  });
  await page.route('**/thumbnail?**', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(new URL('/drive/Papers', page.url()).href);
  const tile = page.getByRole('gridcell').filter({ hasText: 'letter.pdf' });
  const picture = tile.locator(':scope > :first-child');
  await picture.locator('span').waitFor();
  assert.equal(await picture.locator('svg').count(), 0, 'no icon while the thumbnail loads');
  release();
  await widthsOf(page, 2);
  const [inner, outer] = [await picture.locator('img').boundingBox(), await picture.boundingBox()];
  assert.ok(inner !== null && outer !== null);
  const sides = JSON.stringify({ inner, outer });
  assert.ok(inner.height <= outer.height && inner.width <= outer.width, sides);
  assert.ok(Math.abs(inner.width / inner.height - 595 / 842) < 0.02, sides);
  await visit.checkAccessible();
});

test('nothing moves when thumbnails appear', inFull, async () => {
  /** How much has moved in the page, once it is drawn. */
  const shiftsOf = (page: Page): Promise<number> =>
    page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      // Observers are called after the frame.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return (globalThis as unknown as { shifts: number }).shifts;
    });

  const { page, context } = { ...(await open(LAPTOP, 'tiles')), context: visit.context };
  await context.addInitScript(() => {
    Object.assign(globalThis, { shifts: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value } = entry as PerformanceEntry & { value: number };
        Object.assign(globalThis, { shifts: (globalThis as unknown as { shifts: number }).shifts + value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  // Thumbnails are held back, so the tiles are drawn without them first.
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/thumbnail?**', async (route) => {
    await released;
    await route.continue();
  });
  await page.reload();
  await page.getByRole('gridcell').filter({ hasText: 'beach.jpg' }).waitFor();
  const before = await shiftsOf(page);
  release();
  await widthsOf(page, 2);
  assert.equal(await shiftsOf(page), before);
});

test(
  'a high-density screen gets large thumbnails in tiles, and the next visit has them cached',
  inFull,
  async () => {
    const { page, asked } = await open({ ...LAPTOP, deviceScaleFactor: 2 }, 'tiles');
    assert.deepEqual(await widthsOf(page, 2), [1_024, 1_024]);
    assert.ok(asked.includes('1024') && !asked.includes('256'), asked.join());
    await page.reload();
    await widthsOf(page, 2);
    const transferred = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.includes('/thumbnail?'))
        .map((entry) => (entry as PerformanceResourceTiming).transferSize)
        .filter((size) => size > 2_000),
    );
    assert.deepEqual(transferred, []);
  },
);

test(
  'the photos and the details show thumbnails, and a replaced picture gets a new one',
  inFull,
  async () => {
    const { person, page } = await open(LAPTOP, 'list', '/photos');
    await widthsOf(page, 2);
    const { items } = await person.list('/Trip');
    const beach = items.find(({ filename }) => filename === 'beach.jpg');
    const address = () =>
      page.getByRole('gridcell', { name: 'beach.jpg' }).locator('img').getAttribute('src');
    const first = await address();
    const body = await photoOf('#ff00ff');
    await person.ask('PUT', `/api/v2/files/${beach?.id}/content`, { body });
    await page.waitForFunction((old) => {
      const image = document.querySelector<HTMLImageElement>('[aria-label="beach.jpg"] img');
      return image !== null && image.src !== old && image.naturalWidth > 0;
    }, first ?? '');
  },
);
