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
  const decisions = ['Keep both', 'Replace', 'Skip'];
  const decided = new Map<string, string>();
  for (const decision of decisions) {
    await conflict(page).getByText('Existing file: 3 bytes').waitFor();
    if (decided.size === 0) await visit.checkAccessible();
    const text = (await conflict(page).getByRole('heading').textContent()) ?? '';
    const name = /“(.+)”/.exec(text)?.[1] ?? '';
    decided.set(decision, name);
    await conflict(page).getByRole('button', { name: decision }).click();
    await page.getByRole('dialog', { name: `“${name}” already exists` }).waitFor({ state: 'detached' });
  }
  const [both = '', replaced = '', skipped = ''] = decisions.map((decision) => decided.get(decision));
  await page.getByText('Moved 2 items to “To”.').waitFor();
  await untilNames(person, '/From', [skipped]);
  const numbered = both.replace('.txt', ' (2).txt');
  assert.ok((await person.names('/To')).includes(numbered), numbered);
  assert.equal(String(await person.download(await entryAt(person, `/To/${replaced}`))), `new ${replaced}`);
  assert.deepEqual(
    (await person.bin()).items.map(({ originalPath }) => originalPath),
    [`/To/${replaced}`],
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
  await conflict(page).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  await conflict(page).waitFor({ state: 'detached' });
  assert.deepEqual(await person.names('/To'), ['a.txt', 'b.txt', 'c.txt']);
  // The picker is still open.
  await page.getByRole('dialog').getByRole('button', { name: 'Copy here' }).click();
  await conflict(page).getByRole('checkbox', { name: 'Apply to all other conflicts' }).check();
  await conflict(page).getByRole('button', { name: 'Keep both' }).click();
  await page.getByText('Copied 3 items to “To”.').waitFor();
  assert.equal((await person.names('/To')).length, 6);
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
