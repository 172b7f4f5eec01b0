// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { linkFolder } from '../../support/folder-links/folder-links.ts';
import { startVisits } from '../../support/web/visits.ts';

/** More than two pages of a list. */
const COUNT = 450;

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
const like = await alice.upload('/Long/like.txt', 'like');
const directory = await alice.mkdir('/Long/Files');
await fillDirectory(holdall, directory, { count: COUNT, like, type: 'text/plain' });
await alice.mkdir('/Long/Files/folder');
const { items } = await alice.list('/Long/Files', { size: 1_000 });
const named = (name: string) => items.find(({ filename }) => filename === name) ?? assert.fail();
const nameOf = (number: number) => `file ${String(number).padStart(5, '0')}.txt`;

async function isShown(page: Page, number: number): Promise<void> {
  await page.getByRole('dialog', { name: nameOf(number) }).waitFor();
}

async function pageThrough(page: Page, from: number, to: number): Promise<void> {
  await isShown(page, from);
  for (let number = from + 1; number <= to; number += 1) {
    await page.getByRole('button', { name: 'Next file' }).click();
    await isShown(page, number);
  }
}

test('the viewer of the drive goes past the loaded part of a folder, and follows its changes', async () => {
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(alice, `/drive/Long/Files?preview=${named(nameOf(197)).id}`);
  await pageThrough(page, 197, 201);
  await page.getByText('202 of 450').waitFor();
  // Another device deletes the next file and adds one.
  await alice.recycle(named(nameOf(202)));
  await alice.upload('/Long/Files/file 00201b.txt', 'new');
  await page.getByText('202 of 450').waitFor();
  await page.getByRole('button', { name: 'Next file' }).click();
  await page.getByRole('dialog', { name: 'file 00201b.txt' }).waitFor();
  await page.getByRole('button', { name: 'Next file' }).click();
  await isShown(page, 203);
  // The shown file is deleted elsewhere: the next one takes its place.
  await alice.recycle(named(nameOf(203)));
  await isShown(page, 204);
  await page.getByText('204 of 449').waitFor();
});

test('the viewer opens a file far down by its address, with its neighbours', async () => {
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(alice, `/drive/Long/Files?preview=${named(nameOf(420)).id}`);
  await pageThrough(page, 420, 421);
  await page.getByRole('button', { name: 'Previous file' }).click();
  await isShown(page, 420);
});

test('the viewer of a search goes past the loaded results', async () => {
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(alice, `/search?q=file%200&preview=${named(nameOf(97)).id}`);
  await pageThrough(page, 97, 101);
  await page.getByText('102 of 449').waitFor();
});

test('the viewer of a folder link goes past the loaded part', async () => {
  const link = await linkFolder(alice, directory);
  const visit = await begin();
  const { page } = visit;
  await page.goto(`/f/${link.token}?preview=${encodeURIComponent(`/${nameOf(197)}`)}`);
  await pageThrough(page, 197, 201);
});
