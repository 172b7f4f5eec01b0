// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Locator, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { makeExif, makeJpegWithExif, makeMovie } from '../../support/media/exif-files.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** Uploads a picture without metadata, so the modification time of its content decides its position. */
async function upload(
  person: Person,
  path: string,
  modifiedAt: string,
  { type = 'image/png', bytes = makePng(40, 30) }: { type?: string; bytes?: Buffer<ArrayBuffer> } = {},
): Promise<EntryRecord> {
  const form = formOf(path, bytes, type);
  form.set('modifiedAt', modifiedAt);
  const file = await person.ask<EntryRecord>('POST', '/api/files/upload', { body: form });
  const read = async () => (await person.details(file)).metadata;
  await waitFor(read, (metadata) => Object.keys(metadata).length > 0, 'the metadata');
  return file;
}

async function open(person: Person, options: VisitOptions = {}) {
  visit = await (await begin(options)).logIn(person, '/photos');
  const { page } = visit;
  return { page, grid: page.getByRole('grid', { name: 'Photos and videos' }) };
}

/**
 * The days in the headings, in the format of the browser's region. Some browsers put a comma after the
 * weekday. Headings may be abbreviated, as long as all have the same form.
 */
async function daysOf(grid: Locator): Promise<readonly string[]> {
  const days = await grid
    .getByRole('rowheader')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-label') ?? ''));
  return days.map((day) => day.replace(',', ''));
}

/** Fills a directory with 49,999 pictures of ten years. */
async function fillYears(directory: EntryRecord, like: EntryRecord): Promise<void> {
  const secondsApart = 6_307;
  await fillDirectory(holdall, directory, { count: 49_999, like });
  await holdall.app.database.transact(async (tx) => {
    await sql`update entry set content_type = 'image/png',
      modified_at = ${Date.parse('2026-01-01')} - size * ${secondsApart * 1_000}
      where parent_id = ${directory.id}`.execute(tx);
  });
}

/** Runs in the browser. */
const namesOf = (tiles: readonly Element[]) => tiles.map((each) => each.getAttribute('aria-label'));

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  const kind = 'isMobile' in options ? 'a phone, dark' : 'a laptop';
  test(
    `on ${kind}: pictures and videos are grouped by day, newest first`,
    'isMobile' in options ? inFull : {},
    async () => {
      const alice = await holdall.register('alice');
      await upload(alice, '/beach.png', '2026-05-01T12:00:00Z');
      await upload(alice, '/trip/forum.png', '2026-05-01T09:00:00Z');
      const movie = { type: 'video/mp4', bytes: makeMovie(0, { duration: 65 }) };
      await upload(alice, '/trip/clip.mp4', '2025-12-24T09:00:00Z', movie);
      await alice.upload('/notes.txt', 'text');
      const { page, grid } = await open(alice, options);
      await tile(page, 'beach.png').waitFor();
      assert.deepEqual(await daysOf(grid), ['Friday 1 May 2026', 'Wednesday 24 December 2025']);
      const names = await grid.getByRole('gridcell').evaluateAll(namesOf);
      assert.deepEqual(names, ['beach.png', 'forum.png', 'Video: clip.mp4, 1:05']);
      await visit.checkAccessible();
      if ('isMobile' in options) await tile(page, 'forum.png').tap();
      else await tile(page, 'forum.png').dblclick();
      await page.getByRole('dialog', { name: 'forum.png' }).waitFor();
      await page.waitForURL(/photos\?preview=\d+$/);
      await page.goBack();
      await page.waitForURL('**/photos');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await tile(page, 'forum.png').waitFor();
    },
  );
}

test(
  'pictures show the local day and time of where they were taken, wherever the viewer is',
  inFull,
  async () => {
    const alice = await holdall.register('alice');
    for (const [name, taken, zone] of [
      ['east', '2026:05:02 00:30:00', '+13:00'],
      // The same instant as the picture above, in another time zone.
      ['west', '2026:05:01 00:30:00', '-11:00'],
      ['camera', '2026:04:30 23:59:00', undefined],
    ] as const) {
      const bytes = makeJpegWithExif(makeExif({ taken, ...(zone === undefined ? {} : { zone }) }));
      const file = await alice.upload(`/${name}.jpg`, bytes, 'image/jpeg');
      const read = async () => (await alice.details(file)).metadata;
      await waitFor(read, (metadata) => 'media:takenAt' in metadata, 'the metadata');
    }
    const { page, grid } = await open(alice, { timezoneId: 'Asia/Tokyo' });
    await tile(page, 'east.jpg').waitFor();
    assert.deepEqual(await daysOf(grid), [
      'Saturday 2 May 2026',
      'Friday 1 May 2026',
      'Thursday 30 April 2026',
    ]);
    assert.deepEqual(await grid.getByRole('gridcell').evaluateAll(namesOf), [
      'east.jpg',
      'west.jpg',
      'camera.jpg',
    ]);
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    const details = page.getByRole('complementary', { name: 'Details' });
    for (const [name, time] of [
      ['east', '2 May 2026, 00:30 (UTC+13:00)'],
      ['west', '1 May 2026, 00:30 (UTC-11:00)'],
      ['camera', '30 Apr 2026, 23:59'],
    ] as const) {
      await tile(page, `${name}.jpg`).click();
      await details.getByText(time, { exact: true }).waitFor();
    }
  },
);

for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
  const kind = 'isMobile' in options ? 'a phone, dark' : 'a laptop';
  test(`on ${kind}: days with a single picture share a row, each with its own heading`, inFull, async () => {
    const alice = await holdall.register('alice');
    for (let day = 1; day <= 9; day += 1) await upload(alice, `/${day}.png`, `2025-05-0${day}T12:00:00Z`);
    await upload(alice, '/april.png', '2025-04-30T12:00:00Z');
    const { page, grid } = await open(alice, options);
    await tile(page, 'april.png').waitFor();
    const heads = grid.getByRole('rowheader');
    assert.equal(await heads.count(), 10);
    const beside = await grid.getByRole('gridcell').evaluateAll((tiles) => {
      const tops = tiles.map((each) => each.getBoundingClientRect().top);
      return tops.filter((top) => top === tops[0]).length;
    });
    assert.ok(beside >= ('isMobile' in options ? 2 : 3), `${beside} pictures in the first line`);
    const right = await grid.evaluate((element) => innerWidth - element.getBoundingClientRect().right);
    if ('isMobile' in options) assert.equal(right, 0, 'the pictures have the whole width');
    assert.deepEqual(
      (await heads.allInnerTexts()).slice(0, 2),
      ['Fri 9 May 2025', 'Thu 8 May 2025'],
      'all have the same form',
    );
    const cut = await heads.evaluateAll(
      (all) => all.filter((head) => head.scrollWidth > head.clientWidth).length,
    );
    assert.equal(cut, 0, 'no heading is cut');
    for (const [name, head] of [
      ['9.png', 0],
      ['8.png', 1],
      ['april.png', 9],
    ] as const) {
      const [picture, day] = [await tile(page, name).boundingBox(), await heads.nth(head).boundingBox()];
      assert.ok(picture && day && Math.abs(picture.x - day.x) < 1 && picture.y > day.y, name);
    }
    const last = await heads.nth(9).boundingBox();
    const first = await heads.nth(0).boundingBox();
    assert.ok(last && first && last.x === first.x, 'another month begins a new line');
    await visit.checkAccessible();
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowRight');
    await waitFor(
      () => page.getByRole('gridcell', { selected: true }).evaluateAll(namesOf),
      (names) => names.join() === '8.png',
      'the picture of the day before',
    );
    const scrubber = page.getByRole('slider', { name: 'Month' });
    await scrubber.focus();
    assert.equal(await scrubber.getAttribute('aria-valuemax'), '2');
  });
}

test('a selection is deleted, and a picture from another device appears', inFull, async () => {
  const alice = await holdall.register('alice');
  await upload(alice, '/a.png', '2026-05-01T12:00:00Z');
  await upload(alice, '/b.png', '2026-05-01T11:00:00Z');
  await upload(alice, '/c.png', '2026-05-01T10:00:00Z');
  const { page, grid } = await open(alice);
  await tile(page, 'a.png').click();
  await page.keyboard.press('Shift+ArrowRight');
  await page.getByText('2 selected').waitFor();
  await visit.checkAccessible();
  await page.getByRole('button', { name: 'Delete' }).click();
  await tile(page, 'a.png').waitFor({ state: 'detached' });
  await page.getByText('1 photo or video').waitFor();
  await upload(alice, '/later.png', '2026-06-01T10:00:00Z');
  await tile(page, 'later.png').waitFor();
  await waitFor(
    () => grid.getByRole('gridcell').count(),
    (count) => count === 2,
    'the new picture and the one that was not deleted',
  );
});

test('the mouse draws a rectangle that selects pictures of several days', inFull, async () => {
  const alice = await holdall.register('alice');
  for (const [name, day] of [
    ['a', '2026-07-03'],
    // Of two pictures with the same time, the one uploaded later comes first.
    ['c', '2026-06-02'],
    ['b', '2026-06-02'],
    ['d', '2026-05-01'],
  ] as const)
    await upload(alice, `/${name}.png`, `${day}T12:00:00Z`);
  const { page, grid } = await open(alice);
  const boxOf = async (name: string) => (await tile(page, `${name}.png`).boundingBox()) ?? assert.fail(name);
  const selected = () => page.getByRole('gridcell', { selected: true }).evaluateAll(namesOf);
  // Drags from the free space beside the last picture up to the only picture of the first day.
  const [a, c, d] = [await boxOf('a'), await boxOf('c'), await boxOf('d')];
  await page.mouse.move(c.x + c.width / 2, d.y + d.height / 2);
  await page.mouse.down();
  await page.mouse.move(a.x + a.width / 2, c.y + c.height / 2, { steps: 5 });
  await waitFor(selected, (now) => now.join() === 'b.png,c.png,d.png', 'the touched pictures');
  await page.mouse.move(a.x + a.width / 2, a.y + a.height / 2, { steps: 5 });
  await waitFor(selected, (now) => now.join() === 'a.png,b.png,c.png,d.png', 'the larger rectangle');
  const band = grid.locator(':scope > div').last();
  const color = await band.evaluate((element) => getComputedStyle(element).backgroundColor);
  assert.match(color, /\/ 0\.\d+\)$/, 'the pictures are visible through it');
  await page.mouse.up();
  await page.getByText('4 selected').waitFor();
  await page.mouse.click(c.x + c.width / 2, d.y + d.height / 2);
  await waitFor(selected, (now) => now.length === 0, 'a click beside the pictures');
});

/** The proportions of the shown tiles by name. */
const ratiosOf = (grid: Locator) =>
  grid.getByRole('gridcell').evaluateAll((tiles) =>
    tiles.map((each) => {
      const { width, height } = each.getBoundingClientRect();
      return [each.getAttribute('aria-label'), Math.round((width / height) * 10) / 10];
    }),
  );

test('pictures have their true proportions, and lines reach the edge', async () => {
  const alice = await holdall.register('alice');
  const sides = [
    [60, 40],
    [40, 60],
    [40, 40],
    [80, 40],
    [60, 40],
    [60, 40],
    [40, 60],
    [40, 60],
    [60, 40],
  ] as const;
  for (const [at, [width, height]] of sides.entries())
    await upload(alice, `/${at}.png`, `2025-05-01T12:00:0${9 - at}Z`, { bytes: makePng(width, height) });
  const { page, grid } = await open(alice);
  await tile(page, '8.png').waitFor();
  assert.equal(await grid.getByRole('rowheader').innerText(), 'Thu 1 May 2025');
  const expected = sides.map(([width, height], at) => [`${at}.png`, width / height]);
  const isExpected = (found: readonly (readonly unknown[])[]) =>
    found.length === expected.length &&
    found.every(([name, ratio], at) => {
      const [wanted, exact] = expected[at] ?? [];
      return name === wanted && Math.abs(Number(ratio) - Number(exact)) < 0.11;
    });
  await waitFor(() => ratiosOf(grid), isExpected, 'the proportions');
  const edge = await grid.evaluate((element) => {
    const right = element.getBoundingClientRect().left + element.clientWidth;
    const rights = [...element.querySelectorAll('[role=gridcell]')].map(
      (each) => each.getBoundingClientRect().right,
    );
    return right - Math.max(...rights);
  });
  assert.ok(Math.abs(edge) <= 1, `${edge} pixels from the edge`);
});

test('the filter is in the address, and says if nothing matches', async () => {
  const alice = await holdall.register('alice');
  await upload(alice, '/beach.png', '2026-05-01T12:00:00Z');
  await upload(alice, '/Screenshot 1.png', '2026-05-01T11:00:00Z');
  const { page, grid } = await open(alice);
  await tile(page, 'Screenshot 1.png').waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Hide screenshots' }).click();
  await tile(page, 'Screenshot 1.png').waitFor({ state: 'detached' });
  await page.waitForURL('**/photos?screenshots=false');
  await visit.checkAccessible();
  await page.reload();
  await tile(page, 'beach.png').waitFor();
  assert.deepEqual(await grid.getByRole('gridcell').evaluateAll(namesOf), ['beach.png']);
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('menuitemradio', { name: 'Videos only' }).click();
  await page.getByRole('heading', { name: 'No matching photos or videos' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await tile(page, 'Screenshot 1.png').waitFor();
});

test('pictures of this day in former years lead to their day', async () => {
  const alice = await holdall.register('alice');
  const now = new Date();
  const at = (years: number, days = 0) =>
    new Date(Date.UTC(now.getFullYear() - years, now.getMonth(), now.getDate() - days, 12)).toISOString();
  await upload(alice, '/today.png', at(0));
  await upload(alice, '/yesterday.png', at(0, 1));
  await upload(alice, '/former.png', at(4));
  const { page, grid } = await open(alice, { timezoneId: 'UTC' });
  const memories = page.getByRole('region', { name: 'On this day' });
  await memories.getByText('4 years ago').waitFor();
  assert.deepEqual((await grid.getByRole('rowheader').allInnerTexts()).slice(0, 2), ['Today', 'Yesterday']);
  await visit.checkAccessible();
  await memories.getByRole('button', { name: '4 years ago' }).click();
  await waitFor(
    () => page.getByRole('gridcell', { selected: true }).evaluateAll(namesOf),
    (names) => names.join() === 'former.png',
    'the picture of that day',
  );
  await page.getByRole('button', { name: 'Hide until tomorrow' }).click();
  await memories.waitFor({ state: 'detached' });
  await page.reload();
  await tile(page, 'former.png').waitFor();
  assert.equal(await memories.count(), 0);
});

test('an empty drive says what the page is for', inFull, async () => {
  const { page } = await open(await holdall.register('alice'));
  await page.getByRole('heading', { name: 'No photos yet' }).waitFor();
  await visit.checkAccessible();
});

test(
  'the scrubber jumps to any month among many pictures, and loads only those in view',
  inFull,
  async () => {
    const alice = await holdall.register('alice');
    await upload(alice, '/like.png', '2026-01-01T00:00:00Z');
    const like = (await alice.list('/')).items.find(({ filename }) => filename === 'like.png');
    await fillYears(await alice.mkdir('/Old'), like ?? assert.fail());
    visit = await begin();
    const { page } = visit;
    const asked = new Set<string>();
    page.on('request', (request) => {
      // The pictures of former years are single ones.
      const isPage = /\/files\/timeline\?.*size=(?!1$)/.test(request.url());
      if (isPage) asked.add(new URL(request.url()).search);
    });
    await visit.logIn(alice, '/photos');
    await page.getByText('50,000 photos and videos').waitFor();
    const scrubber = page.getByRole('slider', { name: 'Month' });
    const said = () => scrubber.getAttribute('aria-valuetext');
    assert.equal(await said(), 'January 2026');
    await scrubber.focus();
    await page.keyboard.press('End');
    await waitFor(said, (month) => month === 'January 2016', 'the last month');
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await tile(page, 'file 49998.txt').waitFor();
    await visit.checkAccessible();
    const box = (await scrubber.boundingBox()) ?? assert.fail();
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await waitFor(said, (month) => !/^January (2016|2026)$/.test(month ?? ''), 'a month in between');
    await waitFor(
      () => page.locator('[role="gridcell"][aria-label]').count(),
      (count) => count > 10,
      'the pictures',
    );
    assert.ok((await page.getByRole('gridcell').count()) < 400);
    assert.ok(asked.size <= 10, [...asked].join('\n'));
    const before = (await page.getByRole('gridcell').first().boundingBox())?.width ?? 0;
    await page.getByRole('slider', { name: 'Photo size' }).fill('4');
    const isLarger = async () =>
      ((await page.getByRole('gridcell').first().boundingBox())?.width ?? 0) > before;
    await waitFor(isLarger, Boolean, 'larger tiles');
    await page.reload();
    await page.getByText('50,000 photos and videos').waitFor();
    assert.equal(await page.getByRole('slider', { name: 'Photo size' }).inputValue(), '4');
  },
);
