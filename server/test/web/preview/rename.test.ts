// tier: full
// runs on: sqlite
// needs: browser
// A file that is renamed in its preview.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitFor } from '../../support/tasks/tasks.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`a file renamed in its preview shows its new name, also in the list, on ${device}`, async () => {
    const person = await holdall.register(`renames-${device.replaceAll(' ', '-')}`);
    const { id } = await person.upload('/Letters/draft.txt', 'Dear Ann', 'text/plain');
    await person.upload('/Letters/taken.txt', 'other', 'text/plain');
    const visit = await begin(options);
    const { page } = visit;
    await visit.logIn(person, `/drive/Letters?preview=${id}`);
    await page.getByRole('dialog', { name: 'draft.txt' }).getByRole('button', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename' });
    const field = rename.getByLabel('New name');
    await waitFor(
      () =>
        field.evaluate((input) =>
          input instanceof HTMLInputElement ? [input.selectionStart, input.selectionEnd] : [],
        ),
      ([start, end]) => start === 0 && end === 'draft'.length,
      'the selection of the name without its extension',
    );
    await visit.checkAccessible();
    await field.fill('taken.txt');
    await field.press('Enter');
    await page
      .getByRole('dialog', { name: /already exists/ })
      .getByRole('button', { name: 'Skip' })
      .click();
    assert.equal(await field.inputValue(), 'taken.txt');
    await field.fill('final.txt');
    await rename.getByRole('button', { name: 'Rename' }).click();
    const preview = page.getByRole('dialog', { name: 'final.txt' });
    await preview.getByText('Dear Ann').waitFor();
    await untilTitle(page, 'final.txt – Holdall');
    await visit.checkAccessible();
    await page.keyboard.press('Escape');
    await page.getByRole('row', { name: 'final.txt' }).waitFor();
    assert.deepEqual(await person.names('/Letters'), ['final.txt', 'taken.txt']);
  });
}

test('a renamed file that is in no list shows its new name, and Escape leaves the preview open', async () => {
  const person = await holdall.register('alone');
  const { id } = await person.upload('/Letters/draft.txt', 'Dear Ann', 'text/plain');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(person, `/drive/?preview=${id}`);
  await page.getByRole('dialog', { name: 'draft.txt' }).getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog', { name: 'Rename' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog', { name: 'Rename' }).waitFor({ state: 'detached' });
  await page.getByRole('dialog', { name: 'draft.txt' }).getByRole('button', { name: 'Rename' }).click();
  await page.getByLabel('New name').fill('final.txt');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'final.txt' }).getByText('Dear Ann').waitFor();
});

for (const names of [['draft.txt', 'next.txt'], ['draft.txt']]) {
  test(`if another device deletes the file, one of ${names.length}, the typed name is shown`, async () => {
    const person = await holdall.register(`loses-${names.length}`);
    const draft = await person.upload('/Letters/draft.txt', 'Dear Ann', 'text/plain');
    for (const name of names.slice(1)) await person.upload(`/Letters/${name}`, 'other', 'text/plain');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(person, `/drive/Letters?preview=${draft.id}`);
    await page.getByRole('dialog', { name: 'draft.txt' }).getByRole('button', { name: 'Rename' }).click();
    const rename = page.getByRole('dialog', { name: 'Rename' });
    await rename.getByLabel('New name').fill('final.txt');
    await person.recycle(draft);
    await page.getByText("Couldn't rename “draft.txt”. You typed “final.txt”.").waitFor();
    await rename.waitFor({ state: 'detached' });
    assert.deepEqual(await person.names('/Letters'), names.slice(1));
  });
}
