// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePng } from '../../support/media/pictures.ts';
import { startVisits } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits();

test('a folder can be left out of Photos, and shown again', async () => {
  const person = await holdall.register('memes');
  await person.upload('/Memes/cat.png', makePng(40, 30), 'image/png');
  await person.upload('/sea.png', makePng(40, 30), 'image/png');
  const visit = await (await begin()).logIn(person, '/photos');
  const { page } = visit;
  const grid = page.getByRole('grid', { name: 'Photos and videos' });
  await grid.getByRole('gridcell', { name: 'cat.png' }).waitFor();
  await page.getByRole('link', { name: 'My files' }).first().click();
  await page.getByRole('row', { name: 'Memes' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Leave out of Photos' }).click();
  await page.getByText('Photos leaves out “Memes”.').waitFor();
  await page.getByRole('link', { name: 'Photos', exact: true }).click();
  await grid.getByRole('gridcell', { name: 'sea.png' }).waitFor();
  assert.equal(await grid.getByRole('gridcell').count(), 1);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Left-out folders' }).click();
  const dialog = page.getByRole('dialog', { name: 'Folders left out of Photos' });
  await dialog.getByText('Memes', { exact: true }).waitFor();
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Show again: Memes' }).click();
  await dialog.getByText('To leave a folder out').waitFor();
  await page.keyboard.press('Escape');
  await grid.getByRole('gridcell', { name: 'cat.png' }).waitFor();
});
