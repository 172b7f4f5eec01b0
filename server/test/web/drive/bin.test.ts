// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user who has deleted three files and a folder, and the page of their recycle bin. */
async function openBin(options: VisitOptions = {}) {
  const person = await holdall.register('bina');
  for (const name of ['one.txt', 'two.txt', 'three.txt']) {
    await person.recycle(await person.upload(`/Documents/${name}`, name));
  }
  await person.recycle(await person.mkdir('/Old'));
  visit = await begin(options);
  const { page } = await visit.logIn(person, '/bin');
  await page.getByRole('row', { name: 'one.txt' }).waitFor();
  const names = async () => (await person.bin()).items.map((entry) => entry.filename);
  return { person, page, names };
}

test('the most recently deleted entry comes first, and several are restored at once', async () => {
  const { page, person, names } = await openBin();
  const shown = await page.getByRole('row').allTextContents();
  assert.match(shown[1] ?? '', /^Old.*My files.*10 days/);
  assert.match(shown[4] ?? '', /^one\.txt.*Documents/);
  await page.getByRole('row', { name: 'one.txt' }).click();
  await page.getByRole('row', { name: 'two.txt' }).click({ modifiers: ['Control'] });
  await visit.checkAccessible();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Restored 2 items.').waitFor();
  assert.deepEqual(await names(), ['Old', 'three.txt']);
  assert.deepEqual(await person.names('/Documents'), ['one.txt', 'two.txt']);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('heading', { name: 'Documents' }).waitFor();
  await page.getByRole('row', { selected: true }).waitFor();
});

test('direction marks in a name are shown in lists, dialogs, notices and titles', inFull, async () => {
  const person = await holdall.register('turned');
  const folder = 'photos\u202egpj';
  const { id } = await person.upload(`/${folder}/invoice\u202efdp.exe`, 'no invoice');
  await person.upload(`/${folder}/דוח.txt`, 'report');
  visit = await begin();
  const { page } = await visit.logIn(person, `/drive/${encodeURIComponent(folder)}?preview=${id}`);
  const shown = 'invoice⟨RLO⟩fdp.exe';
  await page.getByRole('dialog', { name: shown }).waitFor();
  await untilTitle(page, `${shown} – Holdall`);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { name: 'photos⟨RLO⟩gpj' }).waitFor();
  await untilTitle(page, 'photos⟨RLO⟩gpj – Holdall');
  await page.getByRole('row', { name: shown }).click();
  assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /\u202e/);
  await page.keyboard.press('Delete');
  await page.getByText(`Moved “${shown}” to the bin.`).waitFor();
  await page.getByRole('row', { name: 'דוח.txt' }).click();
  await page.keyboard.press('Delete');
  await page.getByText('Moved “\u2068דוח.txt\u2069” to the bin.').waitFor();
  await page.goto(`${holdall.url}/bin`);
  await page.getByRole('row', { name: shown }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('dialog', { name: `Delete “${shown}” permanently?` }).waitFor();
  // The stored names keep the marks.
  assert.deepEqual((await person.bin()).items.map(({ filename }) => filename).sort(), [
    'invoice\u202efdp.exe',
    'דוח.txt',
  ]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText(`Restored “${shown}”.`).waitFor();
});

test('an entry is deleted permanently with the keyboard, after a confirmation', inFull, async () => {
  const { page, names } = await openBin();
  // The list has the focus, like that of every folder.
  const list = page.locator('[role=grid]:focus');
  await list.waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Delete');
  const dialog = page.getByRole('dialog', { name: 'Delete “one.txt” permanently?' });
  await dialog.waitFor();
  await visit.checkAccessible();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await list.waitFor();
  await page.keyboard.press('Delete');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await page.getByText('Permanently deleted “one.txt”.').waitFor();
  assert.deepEqual(await names(), ['Old', 'three.txt', 'two.txt']);
});

test('an entry whose name was taken meanwhile stays in the bin if the user skips it', inFull, async () => {
  const { page, person, names } = await openBin();
  await person.upload('/Documents/one.txt', 'another');
  await page.getByRole('button', { name: 'Actions for one.txt' }).click();
  await visit.checkAccessible();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page
    .getByRole('dialog', { name: /already exists/ })
    .getByRole('button', { name: 'Skip' })
    .click();
  await page.getByRole('row', { name: 'one.txt' }).waitFor();
  assert.deepEqual(await names(), ['Old', 'three.txt', 'two.txt', 'one.txt']);
});

test('the bin is emptied, on a phone in dark mode', async () => {
  const { page, names } = await openBin({
    colorScheme: 'dark',
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await visit.checkAccessible();
  await page.getByRole('row', { name: 'three.txt' }).tap();
  await page.getByRole('menuitem', { name: 'Restore' }).tap();
  await page.getByText('Restored “three.txt”.').waitFor();
  await page.getByRole('button', { name: 'Empty bin' }).tap();
  await visit.checkAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'Empty bin' }).tap();
  await page.getByRole('heading', { name: 'The bin is empty' }).waitFor();
  await visit.checkAccessible();
  assert.deepEqual(await names(), []);
});
