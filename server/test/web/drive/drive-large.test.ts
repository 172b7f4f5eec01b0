// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user with a directory of that many files, and its page. */
async function openLarge(count: number, options: VisitOptions = {}) {
  const person = await holdall.register('lara');
  const like = await person.upload('/like.txt', 'like');
  const directory = await person.mkdir('/Large');
  await fillDirectory(holdall, directory, { count, like });
  visit = await begin(options);
  const { page } = visit;
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/files/list')) asked.push(new URL(request.url()).search);
  });
  await visit.logIn(person, '/drive/Large');
  await page.getByRole('row', { name: 'file 00000.txt' }).waitFor();
  return { person, page, asked };
}

test('only the visible part of a large directory is loaded and rendered', async () => {
  const { page, asked } = await openLarge(20_000);
  // Pages are compared as a set, because the page refetches once the event stream is open.
  assert.equal(new Set(asked).size, 1);
  const grid = page.getByRole('grid');
  assert.equal(await grid.getAttribute('aria-rowcount'), '20001');
  await grid.focus();
  await page.keyboard.press('End');
  const last = page.getByRole('row', { name: 'file 19999.txt', selected: true });
  await last.waitFor();
  assert.equal(await last.getAttribute('aria-rowindex'), '20001');
  assert(new Set(asked).size <= 4, asked.join('\n'));
  assert((await page.getByRole('row').count()) < 60);
  await visit.checkAccessible();
});

test('everything is selected, including entries that were never loaded, except the deselected ones', async () => {
  const { person, page } = await openLarge(450);
  await page.getByRole('checkbox', { name: 'Select all' }).check();
  await page.getByText('450 selected').waitFor();
  await page.getByRole('checkbox', { name: 'Select file 00003.txt' }).click();
  await page.getByText('449 selected').waitFor();
  await page.keyboard.press('Delete');
  await page.getByText('Moved 449 items to the bin.').waitFor();
  assert.deepEqual(await person.names('/Large'), ['file 00003.txt']);
  await page.getByRole('row', { name: 'file 00003.txt' }).waitFor();
});

test('a range may include entries that were not loaded', async () => {
  const { page } = await openLarge(5_000);
  await page.getByRole('row', { name: 'file 00001.txt' }).click();
  await page.keyboard.press('Shift+End');
  await page.getByText('4,999 selected').waitFor();
});

test('opening the address of an entry far down scrolls to it, on a phone', async () => {
  const { person, page, asked } = await openLarge(20_000, { ...PHONE, colorScheme: 'dark' });
  const { items } = await person.list('/Large', { page: 14, size: 1_000 });
  const entry = items.find(({ filename }) => filename === 'file 14321.txt');
  asked.length = 0;
  await page.goto(`/drive/Large?select=${entry?.id}`);
  await page.getByRole('row', { name: 'file 14321.txt', selected: true }).waitFor();
  assert(asked.length < 80, `${asked.length} requests`);
  await visit.checkAccessible();
});

test('the menu key scrolls to the entry, even if it is no longer rendered', async () => {
  const { page } = await openLarge(2_000);
  const grid = page.getByRole('grid');
  await grid.focus();
  await page.keyboard.press('Home');
  const entry = page.getByRole('row', { selected: true });
  await entry.waitFor();
  await grid.hover();
  /** How far above the list the entry is, in pixels. */
  const findDistance = () =>
    grid.evaluate((element) => {
      const selected = element.querySelector('[role=row][aria-selected=true]');
      if (selected === null) return Number.MAX_SAFE_INTEGER;
      return element.getBoundingClientRect().top - selected.getBoundingClientRect().top;
    });
  for (const [pixels, least] of [
    [200, 100],
    [4_000, 1_000],
  ] as const) {
    await page.mouse.wheel(0, pixels);
    await waitFor(findDistance, (distance) => distance > least, 'the list to scroll');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Open', exact: true }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await page.locator('[role=grid]:focus').waitFor();
  }
});

test('typing a name finds an entry that was never loaded', async () => {
  const { page, asked } = await openLarge(20_000);
  await page.getByRole('grid').focus();
  // Stops the clock, because letters that come slowly would begin another name.
  await page.clock.setFixedTime(Date.now());
  await page.keyboard.type('file 15432');
  await page.getByRole('row', { name: 'file 15432.txt', selected: true }).waitFor();
  assert(asked.length < 80, `${asked.length} requests`);
});

test('the scroll position stays while others change the directory', async () => {
  const { person, page } = await openLarge(2_000);
  await page.getByRole('grid').focus();
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  const selected = page.getByRole('row', { selected: true });
  const name = await selected.getByRole('link').textContent();
  await person.upload('/Large/a first one.txt', 'new');
  await page.locator('[role=grid][aria-rowcount="2002"]').waitFor();
  assert.equal(await selected.getByRole('link').textContent(), name);
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: `New name` }).waitFor();
});
