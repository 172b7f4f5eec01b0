// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { EntryRecord } from '../../../src/drive/contract.ts';
import type { Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';
import { forgeZip } from '../../support/zip/zip-forge.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user with files in `/From` whose names are taken in `/To`, and the page of `/From`. */
async function openFrom(options: VisitOptions = {}) {
  const person = await holdall.register('ada');
  await person.mkdir('/From');
  await person.mkdir('/To');
  for (const name of ['a.txt', 'b.txt', 'c.txt']) {
    await person.upload(`/From/${name}`, `new ${name}`);
    await person.upload(`/To/${name}`, 'old');
  }
  visit = await begin(options);
  const { page } = await visit.logIn(person, '/drive/From');
  await row(page, 'c.txt').waitFor();
  return { person, page };
}

const conflict = (page: Page) => page.getByRole('dialog', { name: /already exists/ });

/** The dialog with all conflicts of an action. */
const list = (page: Page, count: number) =>
  page.getByRole('dialog', { name: new RegExp(`^${count} items? already exists?$`) });

async function decide(page: Page, name: string, decision: string): Promise<void> {
  await page.getByRole('combobox', { name: `Decision for ${name}` }).selectOption(decision);
}

async function chooseFor(page: Page, name: string, action: string): Promise<void> {
  await row(page, name).click({ button: 'right' });
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

async function pickFolder(page: Page, name: string, action: string): Promise<void> {
  const picker = page.getByRole('dialog');
  // The picker starts in the folder of the entries.
  await picker.getByRole('button', { name: 'My files' }).click();
  await picker.getByRole('button', { name }).click();
  await picker.getByRole('button', { name: action }).click();
}

async function entryAt(person: Person, path: string): Promise<EntryRecord> {
  const [, parent = '', name = ''] = /^(.*)\/(.+)$/.exec(path) ?? [];
  const found = (await person.list(parent || '/')).items.find(({ filename }) => filename === name);
  assert.ok(found, path);
  return found;
}

test('the user decides about each entry moved to a taken name, and can undo the move', async () => {
  const { person, page } = await openFrom();
  await row(page, 'a.txt').click();
  await row(page, 'c.txt').click({ modifiers: ['Shift'] });
  await chooseFor(page, 'b.txt', 'Move to…');
  await pickFolder(page, 'To', 'Move here');
  await list(page, 3).getByText('Existing: 3 bytes').first().waitFor();
  await visit.checkAccessible();
  await decide(page, 'a.txt', 'Keep both');
  await decide(page, 'b.txt', 'Replace');
  await decide(page, 'c.txt', 'Skip');
  await list(page, 3).getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Moved 2 items to “To”.').waitFor();
  await untilNames(person, '/From', ['c.txt']);
  await untilNames(person, '/To', ['a (2).txt', 'a.txt', 'b.txt', 'c.txt']);
  assert.equal(String(await person.download(await entryAt(person, '/To/b.txt'))), 'new b.txt');
  assert.deepEqual(
    (await person.bin()).items.map(({ originalPath }) => originalPath),
    ['/To/b.txt'],
  );
  await page.getByRole('button', { name: 'Undo' }).click();
  await untilNames(person, '/From', ['a.txt', 'b.txt', 'c.txt']);
});

test('one decision applies to all, and closing the dialog changes nothing', inFull, async () => {
  const { person, page } = await openFrom();
  await row(page, 'a.txt').click();
  await page.keyboard.press('Control+a');
  await chooseFor(page, 'b.txt', 'Copy to…');
  await pickFolder(page, 'To', 'Copy here');
  await list(page, 3).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await list(page, 3).waitFor({ state: 'detached' });
  assert.deepEqual(await person.names('/To'), ['a.txt', 'b.txt', 'c.txt']);
  // The picker is still open.
  await page.getByRole('dialog').getByRole('button', { name: 'Copy here' }).click();
  await list(page, 3).getByRole('combobox', { name: 'For all items' }).selectOption('Keep both');
  await list(page, 3).getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Copied 3 items to “To”.').waitFor();
  assert.equal((await person.names('/To')).length, 6);
});

for (const how of ['Move', 'Copy'] as const) {
  test(`${how}: folders are merged, and all taken names in them are decided in one list`, async () => {
    const { person, page } = await openFrom();
    for (const path of ['/From/Trip/sub', '/To/Trip/sub', '/From/Trip/only here']) await person.mkdir(path);
    for (const name of ['a.txt', 'b.txt', 'sub/c.txt', 'sub/d.txt']) {
      await person.upload(`/From/Trip/${name}`, `new ${name}`);
    }
    for (const name of ['a.txt', 'sub/c.txt', 'sub/e.txt']) await person.upload(`/To/Trip/${name}`, 'old');
    await row(page, 'Trip').waitFor();
    await chooseFor(page, 'Trip', `${how} to…`);
    await pickFolder(page, 'To', `${how} here`);
    await conflict(page).getByText('Existing folder: 3 files, 9 bytes').waitFor();
    await visit.checkAccessible();
    await conflict(page).getByRole('button', { name: 'Merge' }).click();
    await list(page, 2).getByText('To/Trip/sub').waitFor();
    await decide(page, 'a.txt', 'Replace');
    await decide(page, 'c.txt', 'Skip');
    await list(page, 2).getByRole('button', { name: 'Continue' }).click();
    await page.getByText(how === 'Move' ? 'Moved “Trip” to “To”.' : 'Copied “Trip” to “To”.').waitFor();
    assert.deepEqual(await person.names('/To/Trip'), ['only here', 'sub', 'a.txt', 'b.txt']);
    assert.deepEqual(await person.names('/To/Trip/sub'), ['c.txt', 'd.txt', 'e.txt']);
    const contentOf = async (path: string) => String(await person.download(await entryAt(person, path)));
    assert.equal(await contentOf('/To/Trip/a.txt'), 'new a.txt');
    assert.equal(await contentOf('/To/Trip/sub/c.txt'), 'old');
    // Skipped entries stay, with their folders.
    const left = how === 'Move' ? ['sub'] : ['only here', 'sub', 'a.txt', 'b.txt'];
    assert.deepEqual(await person.names('/From/Trip'), left);
    assert.deepEqual(
      (await person.bin()).items.map(({ originalPath }) => originalPath),
      ['/To/Trip/a.txt'],
    );
  });
}

test('a folder whose whole content is merged leaves its place', async () => {
  const { person, page } = await openFrom();
  await person.upload('/From/Trip/new.txt', 'new');
  await person.upload('/To/Trip/old.txt', 'old');
  await row(page, 'Trip').waitFor();
  await chooseFor(page, 'Trip', 'Move to…');
  await pickFolder(page, 'To', 'Move here');
  await conflict(page).getByRole('button', { name: 'Merge' }).click();
  await untilNames(person, '/From', ['a.txt', 'b.txt', 'c.txt']);
  await untilNames(person, '/To/Trip', ['new.txt', 'old.txt']);
  await page.getByText('Moved “Trip” to “To”.').waitFor();
});

test('a folder whose whole content is skipped is not called moved, and stays', async () => {
  const { person, page } = await openFrom();
  await person.upload('/From/Trip/a.txt', 'new');
  await person.mkdir('/To/Trip/a.txt');
  await row(page, 'Trip').waitFor();
  await chooseFor(page, 'Trip', 'Move to…');
  await pickFolder(page, 'To', 'Move here');
  await conflict(page).getByRole('button', { name: 'Merge' }).click();
  // A file does not replace a folder.
  const choice = list(page, 1).getByRole('combobox', { name: 'Decision for a.txt' });
  await choice.waitFor();
  assert.deepEqual(await choice.getByRole('option').allTextContents(), ['Keep both', 'Skip']);
  await choice.selectOption('Skip');
  await list(page, 1).getByRole('button', { name: 'Continue' }).click();
  await list(page, 1).waitFor({ state: 'detached' });
  // The list shows the folder again when the move has ended. The picker stays open above it.
  await page.getByRole('row', { name: 'Trip', includeHidden: true }).waitFor();
  assert.equal(await page.getByText('Moved “Trip”').count(), 0);
  assert.deepEqual(await person.names('/From/Trip'), ['a.txt']);
});

test('a copy next to its original gets a number without asking the user', inFull, async () => {
  const { person, page } = await openFrom();
  await chooseFor(page, 'a.txt', 'Make a copy');
  await page.getByText('Copied “a.txt”.').waitFor();
  await untilNames(person, '/From', ['a (2).txt', 'a.txt', 'b.txt', 'c.txt']);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(
    `on a phone, ${colorScheme}: a rename to a taken name keeps the typed text until the user decides`,
    inFull,
    async () => {
      const { person, page } = await openFrom({ ...PHONE, colorScheme });
      const { id } = await entryAt(person, '/From/a.txt');
      await person.ask('PATCH', `/api/files/${id}/rename`, { body: { filename: 'long name.txt' } });
      await row(page, 'long name.txt').waitFor();
      const field = page.getByRole('textbox', { name: 'New name' });
      await page.getByRole('button', { name: 'Actions for long name.txt' }).tap();
      await page.getByRole('menuitem', { name: 'Rename' }).tap();
      await field.fill('b.txt');
      await field.press('Enter');
      await conflict(page).getByText('Existing file: 9 bytes').waitFor();
      await visit.checkAccessible();
      await conflict(page).getByRole('button', { name: 'Skip' }).tap();
      await field.waitFor();
      assert.equal(await field.inputValue(), 'b.txt');
      // The extension is not selected, so the next letter replaces only the stem.
      assert.equal(await field.evaluate(({ selectionEnd }: HTMLInputElement) => selectionEnd), 1);
      await field.press('Enter');
      await conflict(page).getByRole('button', { name: 'Replace' }).tap();
      await untilNames(person, '/From', ['b.txt', 'c.txt']);
      assert.equal(String(await person.download(await entryAt(person, '/From/b.txt'))), 'new a.txt');
    },
  );
}

test('a name that the service rejects stays in the field', inFull, async () => {
  const { page } = await openFrom();
  await row(page, 'a.txt').click();
  await page.keyboard.press('F2');
  const field = page.getByRole('textbox', { name: 'New name' });
  await field.fill('a/b');
  await field.press('Enter');
  await page.getByRole('alert').getByText('The name must not contain').waitFor();
  await field.waitFor();
  assert.equal(await field.inputValue(), 'a/b');
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
});

test('an entry is restored although its name is taken', inFull, async () => {
  const { person, page } = await openFrom();
  await person.recycle(await entryAt(person, '/From/a.txt'));
  await person.upload('/From/a.txt', 'another');
  await page.goto('/bin');
  await row(page, 'a.txt').click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await conflict(page).getByText('Existing file: 7 bytes').waitFor();
  await conflict(page).getByRole('button', { name: 'Keep both' }).click();
  await untilNames(person, '/From', ['a (2).txt', 'a.txt', 'b.txt', 'c.txt']);
});

test(
  'an archive whose names are taken is extracted after a decision, or into a new folder',
  inFull,
  async () => {
    const { person, page } = await openFrom();
    const archive = forgeZip([
      { name: 'a.txt', content: 'from the archive' },
      { name: 'b.txt', content: 'of the archive too' },
      { name: 'z.txt', content: 'too' },
    ]);
    await person.upload('/From/x.zip', new Uint8Array(archive));
    await row(page, 'x.zip').waitFor();
    await chooseFor(page, 'x.zip', 'Extract to new folder');
    await waitFor(
      () => person.names('/From'),
      (names) => names.includes('x'),
      'the new folder',
    );
    await untilNames(person, '/From/x', ['a.txt', 'b.txt', 'z.txt']);
    // Waits for the new folder, which moves the archive down by a row.
    await page.getByRole('row', { name: /(?:^|\s)x(?:\s|$)/ }).waitFor();
    await chooseFor(page, 'x.zip', 'Extract here');
    await page.getByText('Failed: Extract x.zip').waitFor();
    await page.getByRole('button', { name: 'Resolve…' }).click();
    await conflict(page).getByText('Applies to every file in the archive').waitFor();
    await visit.checkAccessible();
    await conflict(page).getByRole('button', { name: 'Keep both' }).click();
    const both = ['a (2).txt', 'a.txt', 'b (2).txt', 'b.txt'];
    await untilNames(person, '/From', ['x', ...both, 'c.txt', 'x.zip', 'z.txt']);
    await page.goto('/tasks');
    await page.getByRole('button', { name: 'Resolve: Extract x.zip' }).waitFor();
    await visit.checkAccessible();
  },
);
