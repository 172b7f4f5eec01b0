// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDrive, listDrives } from '../../support/drives/shared-drives.ts';
import { untilNames } from '../../support/web/until-names.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits({ holdall: { env: { HOLDALL_MAX_SHARED_DRIVES: '2' } } });
const bob = await holdall.register('bob');
let visit: Visit;

/** A user with a folder of the personal drive, and the dialog that shares it with people. */
async function openDialog(options: VisitOptions = {}) {
  const alice = await holdall.register('alice');
  await alice.upload('/Plans/Rome/a.txt', 'stones');
  visit = await begin(options);
  await visit.logIn(alice);
  const { page } = visit;
  await row(page, 'Plans').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Share with people…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Share “Plans” with people' });
  const find = dialog.getByRole('combobox', { name: 'Add people' });
  await find.waitFor();
  return { alice, page, dialog, find, create: dialog.getByRole('button', { name: 'Create shared drive' }) };
}

describe('a folder of the personal drive', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`becomes a shared drive with the chosen people, ${colorScheme}`, async () => {
      const { alice, page, dialog, find, create } = await openDialog({ colorScheme });
      await visit.checkAccessible();
      await find.fill(bob.username);
      await page.getByRole('option', { name: bob.username }).waitFor();
      await visit.checkAccessible();
      await find.press('ArrowDown');
      await find.press('Enter');
      await dialog.getByLabel(`Role of ${bob.username}`).selectOption('VIEWER');
      await visit.checkAccessible();
      await dialog.getByLabel('Name of shared drive').fill('Plans of all');
      await create.click();
      await page.waitForURL('**/drives/*/files**');
      await row(page, 'Rome').waitFor();
      const [, drive] = await listDrives(bob);
      assert.deepEqual([drive?.name, drive?.role], ['Plans of all', 'VIEWER']);
      assert.ok(!(await alice.names('/')).includes('Plans'));
      const members = dialog.getByRole('list', { name: 'People with access' });
      assert.equal(await members.count(), 0, 'the dialog is closed');
    });
  }

  test('is shared with someone whose exact username is typed, on a phone', async () => {
    const { page, dialog, find, create } = await openDialog(PHONE);
    await find.fill('nobody-of-that-name');
    await find.press('Enter');
    await dialog.getByText('No account has exactly this username or e-mail address.').waitFor();
    await find.fill(bob.username.toUpperCase());
    await find.press('Enter');
    await dialog.getByRole('button', { name: `Remove ${bob.username}` }).waitFor();
    await find.fill(bob.username);
    await find.press('Enter');
    await dialog.getByText(`${bob.username} is already in the list.`).waitFor();
    await visit.checkAccessible();
    assert.equal(await create.isDisabled(), true, 'someone was typed who is not added');
    await find.fill('');
    await create.click();
    await page.waitForURL('**/drives/*/files**');
  });

  test('is shared with someone whose name was typed, but not confirmed', async () => {
    const { page, dialog, find, create } = await openDialog();
    await find.fill(bob.username);
    await dialog.getByLabel('Name of shared drive').focus();
    await dialog.getByRole('button', { name: `Remove ${bob.username}` }).waitFor();
    await create.click();
    await page.waitForURL('**/drives/*/files**');
  });

  test('stays as it is when the user has too many drives, and what was typed stays', async () => {
    const { alice, dialog, find, create } = await openDialog();
    await createDrive(alice, 'One');
    await createDrive(alice, 'Two');
    await find.fill(bob.username);
    await find.press('Enter');
    await dialog.getByLabel(`Role of ${bob.username}`).selectOption('MANAGER');
    await create.click();
    await dialog.getByText("You've already created 2 shared drives, the maximum.").waitFor();
    await visit.checkAccessible();
    assert.equal(await dialog.getByLabel(`Role of ${bob.username}`).inputValue(), 'MANAGER');
    assert.equal(await dialog.getByLabel('Name of shared drive').inputValue(), 'Plans');
    await untilNames(alice, '/Plans', ['Rome']);
  });

  test('stays as it is when an account in the list is deleted meanwhile', async () => {
    const carol = await holdall.register('carol');
    const { alice, dialog, find, create } = await openDialog();
    await find.fill(carol.username);
    await find.press('Enter');
    await dialog.getByRole('button', { name: `Remove ${carol.username}` }).waitFor();
    const admin = await holdall.admin();
    await admin.ask('DELETE', `/api/admin/users/${carol.id}`, { body: { username: carol.username } });
    await create.click();
    await dialog.getByText(`There's no account “${carol.username}”.`).waitFor();
    await dialog.getByRole('button', { name: `Remove ${carol.username}` }).click();
    await create.click();
    await visit.page.waitForURL('**/drives/*/files**');
    assert.equal((await listDrives(alice)).length, 2);
  });
});
