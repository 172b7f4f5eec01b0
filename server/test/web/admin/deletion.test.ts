// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Leases } from '../../../src/leases/leases.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import type { Person } from '../../support/app/person.ts';
import { setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const { app } = holdall;
const { view, chief } = await setAdminScene(holdall);
const browser = await startBrowser();
const leases = new Leases(app.database, holdall.clock, 'the test');

/** Pauses the job that deletes accounts while `work` runs. */
async function withPausedDeletion(work: () => Promise<void>): Promise<void> {
  await app.accountRemovalJob.settle();
  assert.ok(await leases.runExclusively('delete accounts', 60_000, work));
}

async function registerWithFiles(): Promise<Person> {
  const person = await holdall.register('leaver');
  for (const name of ['a', 'b', 'c']) await person.upload(`/${name}.txt`, 'x'.repeat(100_000));
  return person;
}

for (const [where, options, role] of [
  ['on a laptop', {}, 'row'],
  ['on a phone in the dark', { ...PHONE, colorScheme: 'dark' }, 'listitem'],
] as const) {
  test(`an admin deletes an account after typing its name, ${where}`, async () => {
    const leaver = await registerWithFiles();
    const { username } = leaver;
    const visit = await Visit.begin(browser, holdall, options);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await page.getByRole('searchbox', { name: 'Find user' }).fill(username);
    await page.getByText('1–1 of 1').waitFor();
    const row = page.getByRole(role).filter({ hasText: username });
    const actions = page.getByRole('button', { name: `Actions for ${username}` });
    await actions.click();
    await page.getByRole('menuitem', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: `Delete the account ${username}?` });
    await dialog.getByText('This permanently deletes 3 files (300 kB).').waitFor();
    const button = dialog.getByRole('button', { name: 'Delete account' });
    assert.ok(await button.isDisabled());
    await dialog.getByLabel('To confirm').fill('somebody else');
    assert.ok(await button.isDisabled());
    await visit.checkAccessible();
    await dialog.getByLabel('To confirm').fill(username);
    await visit.checkAccessible();
    await withPausedDeletion(async () => {
      await button.click();
      await page.getByText(`Deleting the account ${username}…`).waitFor();
      await row.getByText('Deleting…').waitFor();
      assert.equal((await view.users({ query: username })).items[0]?.deleting, true);
      await visit.checkAccessible();
      await actions.click();
      await page.getByRole('menuitem', { name: 'Their files' }).waitFor();
      assert.equal(await page.getByRole('menuitem').count(), 3, 'only the links to lists');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: username, exact: true }).click();
      await page.getByRole('dialog', { name: username }).getByText('Deleting…').waitFor();
      await page.keyboard.press('Escape');
    });
    await app.cleanUp();
    // The list notices the end of the deletion without a reload.
    await row.waitFor({ state: 'detached' });
    assert.equal((await view.users({ query: username })).total, 0);
    visit.checkClean();
  });
}

test('the dialog shows why the service rejected the deletion of an account', async () => {
  const leaver = await registerWithFiles();
  const visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await visit.logIn(chief, `/admin/users?query=${leaver.username}`);
  await page.getByRole('button', { name: `Actions for ${leaver.username}` }).click();
  await page.getByRole('menuitem', { name: 'Delete account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the account' });
  await dialog.getByLabel('To confirm').fill(leaver.username.toUpperCase());
  // Meanwhile another admin has deleted it.
  await (await holdall.admin()).ask('DELETE', `/api/admin/users/${leaver.id}`, {
    body: { username: leaver.username },
  });
  await app.accountRemovalJob.settle();
  await dialog.getByRole('button', { name: 'Delete account' }).click();
  await dialog.getByRole('alert').getByText('This account no longer exists.').waitFor();
  await visit.checkAccessible();
  visit.checkClean();
});
