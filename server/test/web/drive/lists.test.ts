// tier: full
// runs on: sqlite
// needs: browser
// How the lists of the drive answer to the pointer, and what they show of each entry.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePng } from '../../support/media/pictures.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits();
const PICTURE = makePng(40, 30);

/** A person with a folder of a few entries, and the page of that folder. */
async function openFolder(options: VisitOptions = {}) {
  const person = await holdall.register('dora');
  await person.mkdir('/Work/Old/Inner/Innermost');
  await person.upload('/Work/Plans/first.txt', 'x');
  for (const name of ['alpha.txt', 'beta.txt', 'gamma.txt']) await person.upload(`/Work/${name}`, name);
  const visit = await (await begin(options)).logIn(person, '/drive/Work');
  await row(visit.page, 'gamma.txt').waitFor();
  return { person, page: visit.page, visit };
}

test('a click on a name opens it, and a click beside it selects', async () => {
  const { page } = await openFolder();
  const nameOf = (name: string) => row(page, name).getByRole('link', { name });
  await nameOf('Plans').click({ modifiers: ['Control'] });
  await nameOf('alpha.txt').click({ modifiers: ['Shift'] });
  await page.getByText('2 selected').waitFor();
  await row(page, 'beta.txt').click();
  await page.getByText('1 selected').waitFor();
  await nameOf('alpha.txt').click();
  await page.getByRole('dialog', { name: 'alpha.txt' }).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The list of the folder has an entry where the pointer is, which the second click does not open.
  await nameOf('Old').dblclick();
  await row(page, 'Inner').waitFor();
  assert.equal(new URL(page.url()).pathname, '/drive/Work/Old');
  await page.goBack();
  await page.getByRole('button', { name: 'Show as a grid' }).click();
  const tile = page.getByRole('gridcell', { name: 'Plans' });
  await tile.click();
  await page.getByText('1 selected').waitFor();
  await tile.getByRole('link', { name: 'Plans' }).click();
  await page.getByRole('gridcell', { name: 'first.txt' }).waitFor();
});

for (const place of ['/drive/Work', '/recent', '/photos'])
  test(`${place} outlines no entry before a key is pressed`, async () => {
    const { page, visit, person } = await openFolder();
    await person.upload('/a.png', PICTURE, 'image/png');
    await visit.logIn(person, place);
    const active = page.getByRole('grid').locator('[data-active]');
    await active.waitFor();
    const outline = () => active.evaluate((element) => getComputedStyle(element).outlineStyle);
    assert.equal(await outline(), 'none');
    await page.keyboard.press('Home');
    assert.equal(await outline(), 'solid');
  });
