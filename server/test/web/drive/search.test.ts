// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/trips/Rome/forum.txt', 'stones');
await alice.upload('/trips/Rome/Forum at night.txt', 'dark');
await alice.upload('/notes.md', '# Notes');
await alice.mkdir('/forums');
let visit: Visit;

async function open(options: VisitOptions = {}, address = '/drive') {
  visit = await (await begin(options)).logIn(alice, address);
  const { page } = visit;
  if (address === '/drive') await page.getByRole('row', { name: 'Documents' }).waitFor();
  return { page, found: page.getByRole('grid', { name: 'Search results' }) };
}

/** Waits until these words are highlighted in the list, which happens when the browser draws it. */
async function untilMarked(page: Page, expected: readonly string[]): Promise<void> {
  await waitFor(
    () =>
      page.evaluate<string[]>(
        'Array.from(CSS.highlights.get("sought") ?? [], (range) => String(range)).sort()',
      ),
    (marked) => isDeepStrictEqual(marked, expected),
    'the marked words',
  );
}

describe('a search', () => {
  test('starts from any page, shows locations, and leads to the entry', async () => {
    const { page, found } = await open();
    await page.keyboard.press('/');
    await page.keyboard.type('FORUM');
    await page.waitForURL('**/search?q=FORUM');
    await page.getByText('3 matches').waitFor();
    await found.getByRole('row', { name: 'forum.txt' }).getByText('Rome').waitFor();
    await untilMarked(page, ['Forum', 'forum', 'forum']);
    await visit.checkAccessible();
    // Clicks the name, because the middle of the row is the link to the location.
    await found.getByRole('row', { name: 'forums' }).getByText('forums').dblclick();
    await page.waitForURL('**/drive/forums');
    await waitFor(
      () => page.title(),
      (title) => title === 'forums – Holdall',
      'the folder',
    );
    await page.goBack();
    await waitFor(
      () => page.getByRole('searchbox').inputValue(),
      (text) => text === 'FORUM',
      'what was looked for',
    );
  });

  test('is narrowed down to folders', inFull, async () => {
    const { page, found } = await open({ colorScheme: 'dark' }, '/search?q=forum');
    await page.getByText('3 matches').waitFor();
    await page.getByRole('button', { name: 'Kind' }).click();
    await visit.checkAccessible();
    await page.getByRole('menuitemradio', { name: 'Folders' }).click();
    await page.waitForURL('**/search?q=forum&kind=folder');
    await page.getByText('1 match', { exact: true }).waitFor();
    await found.getByRole('row', { name: 'forums' }).waitFor();
    await visit.checkAccessible();
  });

  test(
    'takes words in any order without accents, and is narrowed down by kind, place and size',
    inFull,
    async () => {
      await alice.upload('/trips/Rome/Café au lait 2026.jpg', 'x', 'image/jpeg');
      await alice.upload('/Café au lait.txt', 'x');
      const { page, found } = await open({}, '/search?q=lait%20cafe');
      await page.getByText('2 matches').waitFor();
      await untilMarked(page, ['Café', 'Café', 'lait', 'lait']);
      await page.getByRole('button', { name: 'Kind' }).click();
      await page.getByRole('menuitemradio', { name: 'Pictures' }).click();
      await page.getByText('1 match', { exact: true }).waitFor();
      await found.getByRole('row', { name: 'Café au lait 2026.jpg' }).waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await page.getByText('2 matches').waitFor();
      await page.getByRole('button', { name: 'Folder', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'trips' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Search here' }).click();
      await page.getByRole('button', { name: 'Folder: trips' }).waitFor();
      await page.getByText('1 match', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Size' }).click();
      await page.getByRole('menuitemradio', { name: 'Over 1 GB' }).click();
      await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
      await page.getByRole('button', { name: 'Size: Over 1 GB' }).click();
      await page.getByRole('menuitemradio', { name: 'Any' }).click();
      await page.getByRole('button', { name: 'Modified' }).click();
      await page.getByRole('menuitemradio', { name: 'Last 12 months' }).click();
      await page.getByText('1 match', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Modified: Last 12 months' }).click();
      await page.getByRole('menuitemradio', { name: 'Today' }).click();
      await page.reload();
      await page.getByText('1 match', { exact: true }).waitFor();
      await visit.checkAccessible();
    },
  );

  test('needs no text with a filter, and can be repeated', inFull, async () => {
    const { page, found } = await open({}, '/search?q=forum');
    await page.getByText('3 matches').waitFor();
    await waitFor(
      () => page.evaluate<string>('JSON.stringify(localStorage)'),
      (stored) => stored.includes('searches'),
      'the search to be remembered',
    );
    await page.goto('/search');
    await page.getByRole('link', { name: 'forum' }).click();
    await page.waitForURL('**/search?q=forum');
    await page.goto('/search?kind=folder');
    await found.getByRole('row', { name: 'forums' }).waitFor();
    await page.goto('/search');
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Recent searches').waitFor({ state: 'detached' });
  });

  test('says that there are no results, and shows new ones immediately', inFull, async () => {
    // An address may be typed by hand, and a number in it is text to search for.
    const { page, found } = await open({}, '/search?q=2026');
    await page.getByRole('heading', { name: 'Results for “2026”' }).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), '2026');
    await page.goto('/search?q=unicorn');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await visit.checkAccessible();
    await alice.upload('/unicorn.txt', 'here');
    await found.getByRole('row', { name: 'unicorn.txt' }).waitFor();
  });

  test('is closed with one step back, however much was typed', inFull, async () => {
    const { page } = await open();
    await page.getByRole('searchbox').fill('no');
    await page.waitForURL('**/search?q=no');
    await page.getByRole('searchbox').fill('notes');
    await page.waitForURL('**/search?q=notes');
    await page.goBack();
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await waitFor(
      () => page.getByRole('searchbox').inputValue(),
      (text) => text === '',
      'the empty field',
    );
  });

  test('works on a phone', inFull, async () => {
    const { page } = await open(PHONE);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox').fill('notes');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('row', { name: 'notes.md' }).waitFor();
    await visit.checkAccessible();
  });
});

describe('the recent files', () => {
  test('are the most recently changed ones, from all directories', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Recent' }).click();
    const list = page.getByRole('grid', { name: 'Recent files' });
    await list.getByRole('row', { name: 'notes.md' }).waitFor();
    await visit.checkAccessible();
    const form = new FormData();
    form.set('modifiedAt', '1999-12-31T12:00:00Z');
    form.set('path', '/trips');
    form.set('file', new File(['new'], 'latest.txt'));
    await alice.ask('POST', '/api/files/upload', { body: form });
    await list.getByRole('row', { name: 'latest.txt' }).waitFor();
    const rows = await list.getByRole('row').allTextContents();
    const latest = rows.find((text) => text.includes('latest.txt')) ?? '';
    const notes = rows.findIndex((text) => text.includes('notes.md'));
    assert.ok(rows.indexOf(latest) < notes, rows.join('\n'));
    // The list is sorted by the time that it shows.
    await list.getByRole('columnheader', { name: 'Modified' }).waitFor();
    assert.match(latest, /\d{1,2}:\d\d/, 'the time of today, not the day of 1999');
  });

  test('are empty for a new user', inFull, async () => {
    const newcomer = await holdall.register('newcomer');
    visit = await (await begin({ colorScheme: 'dark' })).logIn(newcomer);
    await visit.page.getByRole('link', { name: 'Recent' }).click();
    await visit.page.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    await visit.checkAccessible();
  });
});
