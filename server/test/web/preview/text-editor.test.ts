// tier: default
// runs on: sqlite
// needs: browser
// The editor of text files: what it saves, and what happens to text that was typed and not saved.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
let visit: Visit;
afterEach(async () => {
  visit.checkClean();
  await visit.end();
});

function field() {
  return visit.page.getByRole('textbox', { name: 'Content of notes.txt' });
}

/** The text in the editor. */
async function content(): Promise<string> {
  await field().waitFor();
  return (await field().locator('.cm-line').allTextContents()).join('\n');
}

function button(name: string) {
  return visit.page.getByRole('button', { name, exact: true });
}

async function logInAs({ username }: Person): Promise<void> {
  await visit.page.getByLabel('Username').fill(username);
  await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await button('Log in').click();
}

/** Opens the editor of a new file, and types. */
async function type(person: Person, text: string, options: Parameters<typeof Visit.begin>[2] = {}) {
  const { id } = await person.upload('/notes.txt', 'one\n', 'text/plain');
  visit = await (await Visit.begin(browser, holdall, options)).logIn(person, `/drive/?preview=${id}`);
  await button('Edit').click();
  await field().fill(text);
  return id;
}

test('text is edited, and a change by someone else is reported without losing what was typed', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/Edit/notes.txt', 'one\r\n', 'text/plain');
  visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Edit');
  const { page } = visit;
  await page.getByRole('row', { name: 'notes.txt' }).dblclick();
  await button('Edit').click();
  await field().fill('one\ntwo\n');
  await visit.checkAccessible();
  await field().press('Control+s');
  await page.getByText('Saved. The previous content').waitFor();
  assert.equal(String(await alice.download(file)), 'one\r\ntwo\r\n');
  await field().fill('mine\n');
  await alice.ask('PUT', `/api/v2/files/${file.id}/content`, { body: new Blob(['theirs']) });
  await button('Save').click();
  await page.getByRole('alert').getByText('Someone else changed this file').waitFor();
  assert.equal(await content(), 'mine\n');
  assert.equal(String(await alice.download(file)), 'theirs');
  await page.goBack();
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  assert.equal(await content(), 'mine\n');
  await button('Save anyway').click();
  await button('Done').click();
  await button('Edit').waitFor();
  assert.equal(String(await alice.download(file)), 'mine\r\n');
});

test('text that is typed while a save runs stays in the editor, and is saved by the next one', async () => {
  const person = await holdall.register('types-on');
  const id = await type(person, 'one ');
  const { page } = visit;
  const releases: (() => void)[] = [];
  await page.route('**/api/v2/files/*/content', async (route) => {
    await new Promise<void>((resolve) => releases.push(resolve));
    await route.continue();
  });
  const release = async (at: number) => {
    await waitFor(
      async () => releases.length,
      (count) => count > at,
    );
    releases[at]?.();
  };
  await field().press('Control+s');
  await waitFor(
    async () => releases.length,
    (count) => count === 1,
  );
  await field().press('End');
  await field().pressSequentially('two ');
  // Both presses ask for the same thing: one more save after the running one.
  await field().press('Control+s');
  await field().press('Control+s');
  assert.equal(releases.length, 1);
  await release(0);
  await waitFor(
    () => releases.length,
    (count) => count === 2,
  );
  await field().pressSequentially('three');
  await release(1);
  await page.getByText('You have unsaved changes.').waitFor();
  assert.equal(await content(), 'one two three');
  assert.equal(await field().evaluate((element) => element === document.activeElement), true);
  assert.equal(String(await person.download({ id })), 'one two ');
  assert.equal(releases.length, 2);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await button('Continue editing').click();
  assert.equal(await content(), 'one two three');
  await field().press('Control+s');
  await release(2);
  await page.getByText('All changes saved.').waitFor();
  assert.equal(String(await person.download({ id })), 'one two three');
});

test('Escape of an input method ends neither the editor nor a search', async () => {
  const person = await holdall.register('composes');
  await type(person, 'にほん');
  const pressEscape = (element: HTMLElement | SVGElement) => {
    const options = { key: 'Escape', bubbles: true, cancelable: true };
    element.dispatchEvent(new KeyboardEvent('keydown', { ...options, isComposing: true }));
    element.dispatchEvent(new KeyboardEvent('keydown', { ...options, keyCode: 229 }));
  };
  await field().evaluate(pressEscape);
  await field().press('a');
  assert.equal(await visit.page.getByRole('dialog', { name: 'Discard your changes?' }).count(), 0);
  await field().press('Control+s');
  await visit.page.getByText('All changes saved.').waitFor();
  await button('Done').click();
  await visit.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  const search = visit.page.getByRole('searchbox');
  await search.fill('にほん');
  await search.evaluate(pressEscape);
  await search.press('ArrowRight');
  assert.equal(await search.inputValue(), 'にほん');
});

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `unsaved text is offered again after a login if the service has ended the session, on ${device}`,
    inFull,
    async () => {
      const person = await holdall.register(`ended-${device.replaceAll(' ', '-')}`);
      const id = await type(person, 'one\ntwo\n', options);
      await person.ask('POST', '/api/auth/logout');
      // Does not wait for the button, because the client may notice the end of the session before the user
      // saves.
      await button('Save').evaluateAll(([element]) => element instanceof HTMLElement && element.click());
      await visit.page.getByLabel('Username').waitFor();
      await logInAs(person);
      await visit.page.getByText('You have unsaved changes (').waitFor();
      await visit.checkAccessible();
      await button('Continue editing').click();
      assert.equal(await content(), 'one\ntwo\n');
      await button('Save').click();
      await visit.page.getByText('Saved. The previous content').waitFor();
      await visit.page.reload();
      await visit.page.getByRole('region', { name: 'notes.txt' }).getByText('two').waitFor();
      assert.equal(await visit.page.getByText('You have unsaved changes (').count(), 0);
      assert.equal(visit.page.url().endsWith(`preview=${id}`), true);
    },
  );
}

test('unsaved text is not offered again after it was discarded', inFull, async () => {
  const person = await holdall.register('discards');
  await type(person, 'two\n');
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await visit.page.reload();
  await visit.page.getByText('You have unsaved changes (').waitFor();
  await button('Discard').click();
  await visit.page.getByText('You have unsaved changes (').waitFor({ state: 'detached' });
  await button('Edit').click();
  assert.equal(await content(), 'one\n');
  await field().fill('three\n');
  await button('Cancel').click();
  await visit.page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByText('Discard', { exact: true })
    .click();
  await visit.page.reload();
  await button('Edit').waitFor();
  assert.equal(await visit.page.getByText('You have unsaved changes (').count(), 0);
});

test('unsaved text does not overwrite what was saved elsewhere meanwhile', inFull, async () => {
  const person = await holdall.register('overtaken');
  const id = await type(person, 'mine\n');
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await person.ask('PUT', `/api/v2/files/${id}/content`, { body: new Blob(['theirs\n']) });
  await visit.page.reload();
  await button('Continue editing').click();
  await button('Save').click();
  await visit.page.getByRole('alert').getByText('Someone else changed this file').waitFor();
  assert.equal(await content(), 'mine\n');
});

test('unsaved text is deleted by a logout, and is not shown to another user', inFull, async () => {
  const person = await holdall.register('leaves');
  const id = await type(person, 'secret\n');
  const listDrafts = () =>
    visit.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('holdall.draft.')));
  assert.equal((await listDrafts()).length, 1);
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await visit.openWithoutSession(`/drive/?preview=${id}`);
  await visit.page.getByLabel('Username').waitFor();
  assert.deepEqual(await listDrafts(), []);
});
