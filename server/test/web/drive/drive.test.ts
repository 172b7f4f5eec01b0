// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user with a folder of a few files, and the page of that folder. */
async function openFolder(options: VisitOptions = {}) {
  const person = await holdall.register('dora');
  await person.mkdir('/Work/Plans');
  await person.mkdir('/Work/Old');
  for (const name of ['alpha.txt', 'beta.txt', 'gamma.txt']) await person.upload(`/Work/${name}`, name);
  visit = await begin(options);
  await visit.logIn(person, '/drive/Work');
  await row(visit.page, 'gamma.txt').waitFor();
  return { person, page: visit.page };
}

function namesShown(page: Page): Promise<readonly string[]> {
  return page.getByRole('grid').getByRole('link').allTextContents();
}

async function choose(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action }).click();
}

describe('with the mouse', () => {
  test('folders are opened, and left through the breadcrumbs', async () => {
    const { page } = await openFolder();
    assert.deepEqual(await namesShown(page), ['Old', 'Plans', 'alpha.txt', 'beta.txt', 'gamma.txt']);
    await row(page, 'Plans').dblclick();
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    await page.getByText('This folder is empty').waitFor();
    await page.getByText('Drop files here or choose them.').waitFor();
    await visit.checkAccessible();
    await page.getByRole('main').getByRole('link', { name: 'Work' }).click();
    await row(page, 'alpha.txt').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
  });

  test('a folder whose name has every kind of letter is opened', inFull, async () => {
    const { page, person } = await openFolder();
    await person.mkdir('/Work/50% & more #1? +/x y');
    await page.reload();
    await row(page, '50% & more').dblclick();
    await row(page, 'x y').dblclick();
    await page.getByRole('heading', { name: 'x y' }).waitFor();
    await page.reload();
    await page.getByRole('main').getByRole('link', { name: '50% & more #1? +' }).click();
    await row(page, 'x y').waitFor();
  });

  test('several entries are selected and deleted, and restored by Undo', async () => {
    const { page, person } = await openFolder();
    await row(page, 'alpha.txt').click();
    await row(page, 'gamma.txt').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await row(page, 'beta.txt').click({ modifiers: ['Control'] });
    await page.getByText('2 selected').waitFor();
    await visit.checkAccessible();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Moved 2 items to the bin.').waitFor();
    await untilNames(person, '/Work', ['Old', 'Plans', 'beta.txt']);
    assert.deepEqual(await namesShown(page), ['Old', 'Plans', 'beta.txt']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'gamma.txt').waitFor();
    await untilNames(person, '/Work', ['Old', 'Plans', 'alpha.txt', 'beta.txt', 'gamma.txt']);
  });

  test('a file is renamed in place', async () => {
    const { page, person } = await openFolder();
    await choose(page, 'beta.txt', 'Rename');
    const field = page.getByRole('textbox', { name: 'New name' });
    // The extension is not selected, so typing keeps it.
    await page.keyboard.type('delta');
    await visit.checkAccessible();
    await field.press('Enter');
    await row(page, 'delta.txt').waitFor();
    await untilNames(person, '/Work', ['Old', 'Plans', 'alpha.txt', 'delta.txt', 'gamma.txt']);
    await choose(page, 'delta.txt', 'Rename');
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'delta.txt').waitFor();
  });

  test('entries are moved with the folder picker into a folder that it creates, and back by Undo', async () => {
    const { page, person } = await openFolder();
    await row(page, 'alpha.txt').click();
    await choose(page, 'alpha.txt', 'Move to');
    const dialog = page.getByRole('dialog', { name: 'Move “alpha.txt” to' });
    await dialog.getByRole('button', { name: 'Plans' }).waitFor();
    assert(await dialog.getByRole('button', { name: 'Move here' }).isDisabled());
    await dialog.getByRole('button', { name: 'Plans' }).click();
    await dialog.getByText('No folders here.').waitFor();
    await dialog.getByRole('button', { name: 'New folder' }).click();
    await dialog.getByLabel('Folder name').fill('Secret');
    await visit.checkAccessible();
    await page.keyboard.press('Enter');
    await dialog.getByText('Secret').waitFor();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await untilNames(person, '/Work/Plans/Secret', ['alpha.txt']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await row(page, 'alpha.txt').waitFor();
    await untilNames(person, '/Work/Plans/Secret', []);
  });

  test('a folder is copied elsewhere, and not into itself', inFull, async () => {
    const { page, person } = await openFolder();
    await choose(page, 'Plans', 'Copy to');
    const dialog = page.getByRole('dialog');
    assert(await dialog.getByRole('button', { name: 'Plans' }).isDisabled());
    await dialog.getByRole('button', { name: 'Old', exact: true }).click();
    await dialog.getByRole('button', { name: 'Copy here' }).click();
    await page.getByRole('button', { name: 'Open folder' }).click();
    await page.getByRole('heading', { name: 'Old' }).waitFor();
    await row(page, 'Plans').waitFor();
    assert.deepEqual(await person.names('/Work/Old'), ['Plans']);
  });

  test('entries are dragged into a folder of the list, and onto a parent folder', async () => {
    const { page, person } = await openFolder();
    await row(page, 'alpha.txt').click();
    await row(page, 'beta.txt').click({ modifiers: ['Control'] });
    await row(page, 'beta.txt').dragTo(row(page, 'Plans'));
    await untilNames(person, '/Work/Plans', ['alpha.txt', 'beta.txt']);
    await row(page, 'gamma.txt').dragTo(page.getByRole('link', { name: 'My files' }).last());
    await page.getByText('Moved “gamma.txt” to “My files”.').waitFor();
    assert((await person.names('/')).includes('gamma.txt'));
  });

  test('entries are dragged onto a folder of the tree', inFull, async () => {
    const { page, person } = await openFolder();
    const places = page.getByRole('navigation', { name: 'Places' });
    await row(page, 'alpha.txt').click();
    await row(page, 'beta.txt').click({ modifiers: ['Control'] });
    await row(page, 'beta.txt').dragTo(places.getByRole('link', { name: 'Documents' }));
    await untilNames(person, '/Documents', ['alpha.txt', 'beta.txt']);
    await row(page, 'alpha.txt').waitFor({ state: 'detached' });
    assert.equal(await page.getByText('2 selected').count(), 0);
  });

  test('several entries are moved from a dialog that starts in their folder', inFull, async () => {
    const { page, person } = await openFolder();
    await row(page, 'alpha.txt').click();
    await row(page, 'beta.txt').click({ modifiers: ['Control'] });
    await page.getByRole('button', { name: 'Move to' }).click();
    const dialog = page.getByRole('dialog');
    const move = dialog.getByRole('button', { name: 'Move here' });
    await dialog.getByRole('button', { name: 'Plans' }).waitFor();
    assert.equal(await move.isDisabled(), true, 'they are there already');
    await dialog.getByRole('button', { name: 'Plans' }).click();
    await move.click();
    await untilNames(person, '/Work/Plans', ['alpha.txt', 'beta.txt']);
  });

  test('a new folder is created and selected; a taken name is reported at its field', async () => {
    const { page } = await openFolder();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Folder name').fill('Zeta');
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('row', { name: 'Zeta', selected: true }).waitFor();
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Folder name').fill('alpha.txt');
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByText(/alpha\.txt/)
      .waitFor();
    assert.equal(await page.getByRole('dialog').count(), 1);
  });
});

describe('with only the keyboard', () => {
  test('entries are browsed, opened and left, and a name is found by typing', async () => {
    const { page } = await openFolder();
    const grid = page.getByRole('grid', { name: 'Files in Work' });
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByRole('row', { name: 'gamma.txt', selected: true }).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('row', { name: 'Plans', selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    await page.getByText('This folder is empty').waitFor();
    await page.goBack();
    await grid.focus();
    await page.keyboard.type('be');
    await page.getByRole('row', { name: 'beta.txt', selected: true }).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('heading', { name: 'My files' }).waitFor();
    await row(page, 'Work').waitFor();
  });

  test('all entries are selected, then fewer, then none', inFull, async () => {
    const { page } = await openFolder();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('5 selected').waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Control+ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('5 items').waitFor();
  });

  test('a name being typed survives when a file appears above it', async () => {
    const { page, person } = await openFolder();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('F2');
    await page.keyboard.type('quarterly re');
    const files = await page.getByRole('row').count();
    await person.mkdir('/Work/A from a phone');
    await page.getByRole('row').nth(files).waitFor();
    await page.keyboard.type('port 2026');
    await page.keyboard.press('Enter');
    await row(page, 'quarterly report 2026.txt').waitFor();
  });

  test('the menu, renaming and deleting work', async () => {
    const { page, person } = await openFolder();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.keyboard.press('F2');
    await page.keyboard.type('omega');
    await page.keyboard.press('Enter');
    await row(page, 'omega.txt').waitFor();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menu').waitFor();
    await visit.checkAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'hidden' });
    // The focus returns with the next frame, which a slow machine may paint after the menu has faded out.
    await page.locator('[role=grid]:focus').waitFor();
    await page.keyboard.press('Delete');
    await row(page, 'omega.txt').waitFor({ state: 'detached' });
    await untilNames(person, '/Work', ['Old', 'Plans', 'alpha.txt', 'beta.txt']);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await visit.checkAccessible();
  });
});

describe('the display', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(
      `list, grid, menu and dialogs are accessible, ${colorScheme}`,
      colorScheme === 'light' ? {} : inFull,
      async () => {
        const { page } = await openFolder({ colorScheme });
        await visit.checkAccessible();
        await choose(page, 'alpha.txt', 'Copy to');
        await page.getByRole('dialog').getByRole('button', { name: 'Plans' }).waitFor();
        await visit.checkAccessible();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Grid view' }).click();
        await page.getByRole('gridcell', { name: 'beta.txt' }).click();
        await visit.checkAccessible();
        await page.keyboard.press('Shift+F10');
        await page.getByRole('menuitem', { name: 'Details' }).waitFor();
        await visit.checkAccessible();
      },
    );
  }

  test('the grid is navigated in four directions, and remembered for the next visit', inFull, async () => {
    const { page } = await openFolder();
    await page.getByRole('button', { name: 'Grid view' }).click();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('gridcell', { name: 'Plans', selected: true }).waitFor();
    await page.reload();
    await page.getByRole('gridcell', { name: 'Plans' }).dblclick();
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    await page.getByRole('button', { name: 'List view' }).waitFor({ state: 'hidden' });
  });

  test('the list is sorted by its headings', inFull, async () => {
    const { page, person } = await openFolder();
    await person.upload('/Work/zzz.txt', 'the largest of all of them');
    await page.reload();
    await row(page, 'zzz.txt').waitFor();
    await page.getByRole('button', { name: 'Size' }).click();
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: 'zzz.txt' }).waitFor();
    assert.equal(
      await page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort'),
      'descending',
    );
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: 'Old' }).waitFor();
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('[role=row][aria-rowindex="2"]', { hasText: 'Plans' }).waitFor();
  });
});

test('opening the address of an entry shows and selects it', async () => {
  const { page, person } = await openFolder();
  const entry = (await person.list('/Work')).items.find(({ filename }) => filename === 'beta.txt');
  await page.goto(`/drive/Work?select=${entry?.id}`);
  await page.getByRole('row', { name: 'beta.txt', selected: true }).waitFor();
});

test('a folder that does not exist offers a way home', inFull, async () => {
  const { page } = await openFolder();
  await page.goto('/drive/Nowhere');
  await page.getByRole('alert').waitFor();
  await visit.checkAccessible();
  await page.getByRole('link', { name: 'Back to my files' }).click();
  await row(page, 'Work').waitFor();
});

test('a tap opens, a long press selects, and the menu does the rest', inFull, async () => {
  const { page, person } = await openFolder({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  await visit.checkAccessible();
  await row(page, 'Plans').tap();
  await page.getByText('This folder is empty').waitFor();
  await page.getByRole('link', { name: 'Up one folder' }).tap();
  await page.getByRole('checkbox', { name: 'Select alpha.txt' }).tap();
  await row(page, 'beta.txt').tap();
  await page.getByText('2 selected').waitFor();
  await visit.checkAccessible();
  await page.getByRole('button', { name: 'Clear selection' }).tap();
  await page.getByRole('button', { name: 'Actions for gamma.txt' }).tap();
  await page.getByRole('menuitem', { name: 'Rename' }).tap();
  await page.keyboard.type('iota');
  await page.keyboard.press('Enter');
  await row(page, 'iota.txt').waitFor();
  await untilNames(person, '/Work', ['Old', 'Plans', 'alpha.txt', 'beta.txt', 'iota.txt']);
  const isWider = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  assert.equal(isWider, false);
});
