// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ holdall: { env: { HOLDALL_MAX_SHARED_DRIVES: '100' } } });
const alice = await holdall.register('alice');
const bob = await holdall.register('bob');
const carol = await holdall.register('carol');

async function newDrive(name: string) {
  return createDrive(alice, name, [
    { person: bob, role: 'EDITOR' },
    { person: carol, role: 'VIEWER' },
  ]);
}

async function chooseNew(page: Page, name: string) {
  await page.getByRole('button', { name: 'New folder' }).click();
  await page.getByRole('textbox', { name: 'Folder name' }).fill(name);
  await page.keyboard.press('Enter');
}

describe('a shared drive', () => {
  test('shows two editors each other’s changes, and lets a viewer change nothing', async () => {
    const { id } = await newDrive('Team');
    await inDrive(alice, id).upload('/Plan/plan.txt', 'words');
    const address = `/drives/${id}/files`;
    const [first, second, third] = [await begin(), await begin(), await begin()];
    await first.logIn(alice, address);
    await second.logIn(bob, address);
    await third.logIn(carol, address);
    for (const { page } of [first, second, third]) await row(page, 'Plan').waitFor();
    await chooseNew(first.page, 'From Alice');
    for (const { page } of [second, third]) await row(page, 'From Alice').waitFor();
    await chooseNew(second.page, 'From Bob');
    for (const { page } of [first, third]) await row(page, 'From Bob').waitFor();
    await third.page.keyboard.press('Control+a');
    assert.equal(await third.page.getByRole('button', { name: /^(New folder|Upload)$/ }).count(), 0);
    await row(third.page, 'From Bob').click({ button: 'right' });
    await third.page.getByRole('menuitem', { name: 'Download' }).waitFor();
    assert.equal(await third.page.getByRole('menuitem', { name: /Rename|Delete|Move|Share/ }).count(), 0);
    await third.page.keyboard.press('Escape');
    await third.page.keyboard.press('Delete');
    await third.page.keyboard.press('F2');
    assert.equal(await third.page.getByRole('textbox', { name: /name/i }).count(), 0);
    assert.equal(await row(third.page, 'From Bob').count(), 1);
    await third.checkAccessible();
  });

  test('is created, filled, and used beside the personal drive', async () => {
    const visit = await begin({ viewport: { width: 1280, height: 800 } });
    const { page } = visit;
    await visit.logIn(alice, '/drive');
    await page.getByRole('link', { name: 'Shared drives' }).click();
    await page.waitForURL('**/drives');
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'New shared drive' }).click();
    const dialog = page.getByRole('dialog', { name: 'New shared drive' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Garden');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.waitForURL(/\/drives\/\d+\/files/);
    await page.getByRole('heading', { level: 1, name: 'Garden' }).waitFor();
    assert.equal(await page.title(), 'Garden – Holdall');
    const name = 'seeds.txt';
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from('tomato') };
    await page.locator('input[name="files"]').setInputFiles(file);
    await row(page, name).waitFor();
    const places = page.getByRole('list', { name: 'Places in Garden' });
    await places.getByRole('link', { name: 'Recent' }).click();
    await page.waitForURL(/\/drives\/\d+\/recent/);
    await row(page, name).waitFor();
    assert.equal(await page.title(), 'Recent – Garden – Holdall');
    await page.getByRole('link', { name: 'My files' }).click();
    await row(page, 'Documents').waitFor();
    assert.equal(await row(page, name).count(), 0);
    await page.goBack();
    await row(page, name).dblclick();
    await page.getByText('tomato').waitFor();
    await page.keyboard.press('Escape');
    await places.getByRole('link', { name: 'Recycle bin' }).click();
    await page.getByText('The bin is empty').waitFor();
  });
});

describe('the members of a drive', () => {
  for (const settings of [{}, { colorScheme: 'dark', ...PHONE }] as const) {
    const screen = 'colorScheme' in settings ? 'on a phone' : 'on a desktop';
    test(`are added, given another role and removed, ${screen}`, async () => {
      const { id } = await createDrive(alice, 'People', []);
      const visit = await begin(settings);
      const { page } = visit;
      await visit.logIn(alice, `/drives/${id}/files`);
      await page.getByTitle('Members and settings').click();
      const dialog = page.getByRole('dialog', { name: '“People”: members and settings' });
      await dialog.getByText('A drive needs a manager.').waitFor();
      await dialog.getByRole('combobox', { name: 'Add people' }).fill(bob.username);
      await page.keyboard.press('Enter');
      const role = dialog.getByRole('combobox', { name: `Role of ${bob.username}` });
      await role.waitFor();
      await visit.checkAccessible();
      await role.selectOption('MANAGER');
      await page.getByText(`Changed the role of ${bob.username}.`).waitFor();
      await dialog.getByText('A drive needs a manager.').waitFor({ state: 'detached' });
      await dialog.getByRole('button', { name: `Remove ${bob.username}` }).click();
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      await role.waitFor({ state: 'detached' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Folk');
      await dialog.getByRole('button', { name: 'Rename' }).click();
      const renamed = page.getByRole('dialog', { name: '“Folk”: members and settings' });
      await renamed.getByRole('button', { name: 'Delete drive' }).click();
      const check = page.getByRole('dialog', { name: 'Delete “Folk”?' });
      await check.getByRole('textbox').fill('Folk');
      await check.getByRole('button', { name: 'Delete drive' }).click();
      await row(page, 'Documents').waitFor();
      await page.goto('/drives');
      await page.getByRole('button', { name: 'Restore Folk' }).click();
      await page.getByRole('link', { name: 'Folk', exact: true }).first().waitFor();
    });
  }
});

describe('a manager', () => {
  test('confirms a change of their own role, which only others can undo', async () => {
    const { id } = await createDrive(alice, 'Two', [{ person: bob, role: 'MANAGER' }]);
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(alice, `/drives/${id}/files`);
    await page.getByTitle('Members and settings').click();
    const dialog = page.getByRole('dialog', { name: '“Two”: members and settings' });
    const role = dialog.getByRole('combobox', { name: `Role of ${alice.username}` });
    await role.focus();
    await page.keyboard.press('ArrowUp');
    const question = page.getByRole('dialog', { name: 'Change your own role to Editor?' });
    await visit.checkAccessible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await role.inputValue(), 'MANAGER');
    await role.selectOption('VIEWER');
    await page.getByRole('button', { name: 'Change role' }).click();
    await role.waitFor({ state: 'detached' });
    assert.equal(await dialog.getByRole('button', { name: 'Delete drive' }).count(), 0);
  });

  test('reads at the field why someone could not be added, whose name stays', async () => {
    const { id } = await createDrive(alice, 'Full', []);
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(alice, `/drives/${id}/files`);
    const msg = 'This account is a member of too many drives.';
    await page.route('**/members', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 413, json: { code: 2413, msg, data: null } })
        : route.continue(),
    );
    await page.getByTitle('Members and settings').click();
    const field = page.getByRole('combobox', { name: 'Add people' });
    await field.fill(bob.username);
    await page.keyboard.press('Enter');
    await page.getByText('This person is already a member of too many drives.').waitFor();
    assert.equal(await field.inputValue(), bob.username);
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
  });
});

test('a viewer sees the links and the activity of a drive, but no form for a link', async () => {
  const { id } = await newDrive('Reading');
  const there = inDrive(alice, id);
  const file = await there.upload('/Plan/plan.txt', 'words');
  await there.mkdir('/Empty');
  await there.ask('POST', '/api/v2/shares', { body: { fileId: file.id } });
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(carol, `/drives/${id}/shared?file=${file.id}`);
  const dialog = page.getByRole('dialog', { name: 'Share “plan.txt”' });
  await dialog.getByText(`by ${alice.username}`).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Create link' }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor();
  assert.equal(await page.title(), 'Links – Reading – Holdall');
  await page.getByRole('searchbox', { name: 'Search Reading' }).waitFor();
  await page.goto(`/drives/${id}/files/Empty`);
  await page.getByText('This folder is empty').click({ button: 'right' });
  assert.equal(await page.getByRole('menu').count(), 0);
  await page.getByRole('button', { name: 'Activity' }).click();
  await page.getByRole('dialog', { name: 'Activity in “Empty”' }).waitFor();
});

test('a shared file is saved into a shared drive', async () => {
  const { id } = await newDrive('Saved');
  const { id: fileId } = await alice.upload('/gift.txt', 'gift');
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId } });
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(bob, `/s/${token}`);
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  const picker = page.getByRole('dialog');
  await picker.getByRole('button', { name: 'Drives', exact: true }).click();
  await picker.getByRole('button', { name: 'Saved' }).click();
  await picker.getByRole('button', { name: 'Save here' }).click();
  await page.getByRole('link', { name: 'Show in “Saved”' }).click();
  await page.waitForURL(`**/drives/${id}/files**`);
  await row(page, 'gift.txt').waitFor();
});

test('a shared file whose name is taken in the shared drive is saved there under another name', async () => {
  const { id } = await newDrive('Taken');
  const there = inDrive(alice, id);
  await there.upload('/gift.txt', 'another');
  const { id: fileId } = await alice.upload('/taken/gift.txt', 'gift');
  const { token } = await alice.ask<{ token: string }>('POST', '/api/v2/shares', { body: { fileId } });
  const { page } = await (await begin()).logIn(bob, `/s/${token}`);
  await page.getByRole('button', { name: 'Save to my drive' }).click();
  const picker = page.getByRole('dialog');
  await picker.getByRole('button', { name: 'Drives', exact: true }).click();
  await picker.getByRole('button', { name: 'Taken' }).click();
  await picker.getByRole('button', { name: 'Save here' }).click();
  const question = page.getByRole('dialog', { name: /already exists/ });
  await question.getByText('Existing file: 7 bytes').waitFor();
  await question.getByRole('button', { name: 'Keep both' }).click();
  await page.getByRole('link', { name: 'Show in “Taken”' }).click();
  await row(page, 'gift (2).txt').waitFor();
  await untilNames(there, '/', ['gift (2).txt', 'gift.txt']);
});

test('the link to a shared item leads to its folder in the drive', async () => {
  const { id } = await newDrive('Places');
  const there = inDrive(alice, id);
  const { id: fileId } = await there.upload('/Plan/plan.txt', 'words');
  await there.ask('POST', '/api/v2/shares', { body: { fileId } });
  const { page } = await (await begin()).logIn(bob, `/drives/${id}/shared`);
  await page.getByRole('button', { name: 'More about plan.txt' }).click();
  await page.getByRole('menuitem', { name: 'Show in “Places”' }).click();
  await page.waitForURL(`**/drives/${id}/files/Plan?select=${fileId}`);
  await row(page, 'plan.txt').waitFor();
});

describe('a member who looks at the drive', () => {
  test('loses the buttons with the role, and the drive with the membership', async () => {
    const { id } = await newDrive('Fading');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(bob, `/drives/${id}/files`);
    const button = page.getByRole('button', { name: 'New folder' });
    await button.waitFor();
    await alice.ask('PATCH', `/api/v2/drives/${id}/members/${bob.id}`, {
      body: { role: 'VIEWER' },
    });
    await page.getByText('You can only view “Fading” now.').waitFor();
    await button.waitFor({ state: 'detached' });
    await alice.ask('DELETE', `/api/v2/drives/${id}/members/${bob.id}`);
    await page.getByText('You no longer have access to “Fading”.').waitFor();
    await row(page, 'Documents').waitFor();
  });

  test('keeps what was typed when the drive is lost', async () => {
    const { id } = await newDrive('Typing');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(bob, `/drives/${id}/files`);
    await page.getByRole('button', { name: 'New folder' }).click();
    const field = page.getByRole('textbox', { name: 'Folder name' });
    await field.fill('A long name');
    await alice.ask('DELETE', `/api/v2/drives/${id}/members/${bob.id}`);
    const alert = page.getByRole('alert').filter({ hasText: 'Copy what you typed before you continue' });
    await alert.waitFor();
    assert.equal(await field.inputValue(), 'A long name');
    await alert.getByRole('button').click();
    await row(page, 'Documents').waitFor();
  });

  test('gets to the own files with the keyboard when the dialog with the text is closed', async () => {
    const { id } = await newDrive('Closing');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(bob, `/drives/${id}/files`);
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('textbox', { name: 'Folder name' }).fill('A long name');
    await alice.ask('DELETE', `/api/v2/drives/${id}/members/${bob.id}`);
    await page.getByRole('alert').filter({ hasText: 'Copy what you typed before you continue' }).waitFor();
    await page.keyboard.press('Escape');
    await row(page, 'Documents').waitFor();
  });
});
