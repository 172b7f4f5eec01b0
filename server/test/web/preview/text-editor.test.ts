// tier: default
// runs on: sqlite
// needs: browser
// The editor of text files: what it saves, and what happens to text that was typed and not saved.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { PASSWORD, type Person } from '../../support/app/person.ts';
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

test('text is edited, and a change by somebody else is reported without losing what was typed', async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/Edit/notes.txt', 'one\r\n', 'text/plain');
  visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Edit');
  const { page } = visit;
  await page.getByRole('row', { name: 'notes.txt' }).dblclick();
  await button('Edit').click();
  await field().fill('one\ntwo\n');
  await visit.checkAccessible();
  await field().press('Control+s');
  await page.getByText('The file was saved.').waitFor();
  assert.equal(String(await alice.download(file)), 'one\r\ntwo\r\n');
  await button('Edit').click();
  await field().fill('mine\n');
  await alice.ask('PUT', `/api/v2/files/${file.id}/content`, { body: new Blob(['theirs']) });
  await button('Save').click();
  await page.getByRole('alert').getByText('Somebody else has changed this file').waitFor();
  assert.equal(await field().inputValue(), 'mine\n');
  assert.equal(String(await alice.download(file)), 'theirs');
  await page.goBack();
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  assert.equal(await field().inputValue(), 'mine\n');
  await button('Save anyway').click();
  // The editor closes when the file is saved.
  await button('Edit').waitFor();
  assert.equal(String(await alice.download(file)), 'mine\r\n');
});

test('saved text is edited again only when the tag of the new content is known', inFull, async () => {
  const alice = await holdall.register('alice');
  const file = await alice.upload('/Again/notes.txt', 'one', 'text/plain');
  visit = await (await Visit.begin(browser, holdall)).logIn(alice, '/drive/Again');
  const { page } = visit;
  await page.getByRole('row', { name: 'notes.txt' }).dblclick();
  const edit = button('Edit');
  await edit.click();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/files/download/*', async (route) => {
    await released;
    await route.continue();
  });
  await field().fill('two');
  await field().press('Control+s');
  await page.getByText('The file was saved.').waitFor();
  await edit.waitFor();
  assert.ok(await edit.isDisabled());
  await alice.ask('PUT', `/api/v2/files/${file.id}/content`, { body: new Blob(['theirs']) });
  release();
  await edit.click();
  assert.equal(await field().inputValue(), 'theirs');
});

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `is offered again after a login if the service has ended the session, on ${device}`,
    inFull,
    async () => {
      const person = await holdall.register(`ended-${device.replaceAll(' ', '-')}`);
      const id = await type(person, 'one\ntwo\n', options);
      await person.ask('POST', '/api/auth/logout');
      // Without waiting for the button: the client may notice the end of the session before the user saves.
      await button('Save').evaluateAll(([element]) => element instanceof HTMLElement && element.click());
      await visit.page.getByLabel('Username').waitFor();
      await logInAs(person);
      await visit.page.getByText('You have typed changes that are not saved yet').waitFor();
      await visit.checkAccessible();
      await button('Continue editing').click();
      assert.equal(await field().inputValue(), 'one\ntwo\n');
      await button('Save').click();
      await visit.page.getByText('The file was saved.').waitFor();
      await visit.page.reload();
      await visit.page.getByRole('region', { name: 'notes.txt' }).getByText('two').waitFor();
      assert.equal(await visit.page.getByText('not saved yet').count(), 0);
      assert.equal(visit.page.url().endsWith(`preview=${id}`), true);
    },
  );
}

test('is not offered again after it was discarded', inFull, async () => {
  const person = await holdall.register('discards');
  await type(person, 'two\n');
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await visit.page.reload();
  await visit.page.getByText('You have typed changes that are not saved yet').waitFor();
  await button('Discard').click();
  await visit.page.getByText('not saved yet').waitFor({ state: 'detached' });
  await button('Edit').click();
  assert.equal(await field().inputValue(), 'one\n');
  await field().fill('three\n');
  await button('Cancel').click();
  await visit.page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByText('Discard', { exact: true })
    .click();
  await visit.page.reload();
  await button('Edit').waitFor();
  assert.equal(await visit.page.getByText('not saved yet').count(), 0);
});

test('does not overwrite what was saved elsewhere in the meantime', inFull, async () => {
  const person = await holdall.register('overtaken');
  const id = await type(person, 'mine\n');
  visit.page.once('dialog', (dialog) => void dialog.accept());
  await person.ask('PUT', `/api/v2/files/${id}/content`, { body: new Blob(['theirs\n']) });
  await visit.page.reload();
  await button('Continue editing').click();
  await button('Save').click();
  await visit.page.getByRole('alert').getByText('Somebody else has changed this file').waitFor();
  assert.equal(await field().inputValue(), 'mine\n');
});

test('is deleted by a logout, and is not shown to another user', inFull, async () => {
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
