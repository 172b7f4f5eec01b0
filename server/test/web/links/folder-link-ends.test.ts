// tier: full
// runs on: sqlite
// needs: browser
// What a visitor of a folder link sees if the owner ends it while the page is open.
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { FolderLinkRecord } from '../../../src/app/contract.ts';
import { startVisits } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits();
const owner = await holdall.register('olga');
const album = await owner.mkdir('/Album');
await owner.upload('/Album/notes.txt', 'What we did', 'text/plain');
await owner.upload('/Album/more.txt', 'And more', 'text/plain');
await owner.upload('/Album/Inner/deep.txt', 'Deep', 'text/plain');

/** A visitor of a new link, and a function with which its owner ends it. */
async function open() {
  const body = { directoryId: album.id, mode: 'VIEW' };
  const link = await owner.ask<FolderLinkRecord>('POST', '/api/v2/folder-links', { body });
  const visit = await begin();
  await visit.page.goto(`${holdall.url}/f/${link.token}`);
  await visit.page.getByRole('button', { name: 'Download notes.txt' }).waitFor();
  const path = `/api/v2/folder-links/${link.id}`;
  return {
    page: visit.page,
    end: () => owner.ask('DELETE', path),
    protect: () => owner.ask('PATCH', path, { body: { password: 'open sesame' } }),
  };
}

const PLACES: readonly [string, (page: Page) => Promise<unknown>][] = [
  ['of one file', (page) => page.getByRole('button', { name: 'Download notes.txt' }).click()],
  ['of everything', (page) => page.getByRole('button', { name: 'Download all' }).click()],
  [
    'of a selection',
    async (page) => {
      await page.getByRole('checkbox', { name: 'Select notes.txt' }).check();
      await page.getByRole('button', { name: 'Download 1 selected' }).click();
    },
  ],
];

for (const [what, download] of PLACES) {
  test(`a download ${what} of an ended link turns the page into a notice`, async () => {
    const { page, end } = await open();
    await end();
    await download(page);
    await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
    await page.getByRole('button', { name: 'Download all' }).waitFor({ state: 'detached' });
  });
}

test('opening a folder of an ended link turns the page into a notice', async () => {
  const { page, end } = await open();
  await end();
  await page.getByText('Inner', { exact: true }).click();
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
});

test('a missing folder does not close the page of a link that still works', async () => {
  const gone = await owner.mkdir('/Album/Gone');
  const { page } = await open();
  await owner.recycle(gone);
  await page.getByText('Gone', { exact: true }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('button', { name: 'Download all' }).waitFor();
});

test('a download from the preview of an ended link turns the page into a notice', async () => {
  const { page, end } = await open();
  await page.getByRole('link', { name: 'notes.txt' }).or(page.getByText('notes.txt')).first().click();
  const dialog = page.getByRole('dialog', { name: 'notes.txt' });
  await dialog.getByText('What we did').waitFor();
  await end();
  await dialog.getByRole('button', { name: 'Download' }).first().click();
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
});

test('moving the preview to a file of an ended link turns the page into a notice', async () => {
  const { page, end } = await open();
  await page.getByText('more.txt').first().click();
  await page.getByRole('dialog', { name: 'more.txt' }).getByText('And more').waitFor();
  await end();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('heading', { name: "This link doesn't work" }).waitFor();
});

test('a download asks for a password that was set after the page was opened', async () => {
  const { page, protect } = await open();
  await protect();
  await page.getByRole('button', { name: 'Download notes.txt' }).click();
  await page.getByLabel('Password', { exact: true }).waitFor();
});
