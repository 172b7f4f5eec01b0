// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { asAdmin } from '../../support/app/admin.ts';
import { addSharedDrive } from '../../support/drives/admin-drive.ts';
import { inDrive } from '../../support/drives/shared-drives.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const chief = await holdall.admin();
const view = asAdmin(chief);
const [ann, bob] = [await holdall.register('ann'), await holdall.register('bob')];

const DEVICES = [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const;

async function newDrive(name: string): Promise<number> {
  const id = await addSharedDrive(holdall, { name, members: [[ann, 'MANAGER']] });
  await inDrive(ann, id).upload('/plan.txt', 'plan');
  return id;
}

async function choose(page: Page, name: string, act: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: act }).click();
}

for (const [device, options] of DEVICES) {
  const inTier = device === 'a laptop' ? {} : inFull;

  describe(`an admin, on ${device},`, () => {
    test('gives a drive without a manager a new one', inTier, async () => {
      const name = `Orphans, ${device}`;
      const id = await addSharedDrive(holdall, { name });
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(chief, `/admin/drives?query=${name}`);
      await page.getByText('No manager', { exact: true }).waitFor();
      await visit.checkAccessible();
      await choose(page, name, 'Members');
      const dialog = page.getByRole('dialog', { name: `Members of ${name}` });
      await dialog.getByText('No members.').waitFor();
      assert.equal(await dialog.getByLabel('Role', { exact: true }).inputValue(), 'MANAGER');
      await dialog.getByRole('searchbox', { name: 'Add member' }).fill(bob.username);
      await dialog.getByRole('button', { name: `Add ${bob.username}` }).click();
      await page.getByText(`${bob.username} now has the role: Manager.`).waitFor();
      await dialog.getByLabel(`Role of ${bob.username}`).waitFor();
      await visit.checkAccessible();
      assert.deepEqual(
        (await view.members(id)).map(({ accountId, role }) => [accountId, role]),
        [[bob.id, 'MANAGER']],
      );
      await dialog.getByRole('button', { name: 'Done' }).click();
      await page.getByText('No manager', { exact: true }).waitFor({ state: 'detached' });
      visit.checkClean();
    });

    test('changes the limits of a shared drive', inTier, async () => {
      const name = `Limits, ${device}`;
      await newDrive(name);
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(chief, `/admin/drives?query=${name}`);
      await choose(page, name, 'Quota and limits');
      const dialog = page.getByRole('dialog', { name: `Limits of ${name}` });
      const save = dialog.getByRole('button', { name: 'Save' });
      assert.ok(await save.isDisabled());
      await dialog.getByLabel('Storage quota', { exact: true }).fill('2');
      await dialog.getByLabel('Unit for Storage quota').selectOption('GB');
      await visit.checkAccessible();
      await save.click();
      await page.getByText('4 bytes of 2 GB used').waitFor();
      const [drive] = (await view.drives({ query: name })).items;
      assert.deepEqual(
        [drive?.quotaBytes, drive?.maxUploadBytes, drive?.maxEntries],
        [2_000_000_000, 100_000, 1_000],
      );
      visit.checkClean();
    });

    test('deletes a shared drive by typing its name, and restores it', inTier, async () => {
      const name = `Old team, ${device}`;
      const id = await newDrive(name);
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(chief, `/admin/drives?query=${name}`);
      await choose(page, name, 'Delete drive');
      const dialog = page.getByRole('dialog', { name: `Delete the drive ${name}?` });
      await dialog.getByText('It contains 1 file (4 bytes).').waitFor();
      const button = dialog.getByRole('button', { name: 'Delete drive' });
      await dialog.getByLabel('To confirm').fill('Old');
      assert.ok(await button.isDisabled());
      await visit.checkAccessible();
      await dialog.getByLabel('To confirm').fill(name);
      await button.click();
      await page.getByText(`Deleted the drive ${name}.`).waitFor();
      assert.equal((await inDrive(ann, id).call('GET', '/api/files/list?path=/')).status, 404);
      await choose(page, name, 'Restore drive');
      await page.getByRole('dialog').getByRole('button', { name: 'Restore drive' }).click();
      await page.getByText(`Restored the drive ${name}.`).waitFor();
      assert.deepEqual(await inDrive(ann, id).names(), ['plan.txt']);
      visit.checkClean();
    });
  });
}

test('the last manager of a drive keeps the role, and the admin is told why', inFull, async () => {
  const id = await newDrive('Managed');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(chief, '/admin/drives?query=Managed');
  await choose(page, 'Managed', 'Members');
  const role = page.getByLabel(`Role of ${ann.username}`);
  await role.selectOption('Viewer');
  await page.getByText('A drive needs a manager.').waitFor();
  assert.equal(await role.inputValue(), 'MANAGER');
  assert.equal((await view.members(id))[0]?.role, 'MANAGER');
});

test(
  'a file of a shared drive names the drive, which leads to it in the list of drives',
  inFull,
  async () => {
    await newDrive('Named owner');
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(chief, '/admin/files?ownerQuery=Named');
    await page.getByRole('link', { name: 'Named owner', exact: true }).click();
    await page.waitForURL(/admin\/drives\?query=Named/);
    await choose(page, 'Named owner', 'Its files');
    await choose(page, 'plan.txt', 'Move to bin');
    await page.getByRole('dialog').getByText('bin of the drive “Named owner”').waitFor();
    visit.checkClean();
  },
);

test('the list of drives is filtered by kind and state, with only the keyboard', inFull, async () => {
  await newDrive('Live one');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(chief, '/admin/drives');
  await page.getByRole('searchbox', { name: 'Find drive' }).focus();
  await page.keyboard.type('live');
  await page.getByText('1–1 of 1').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByLabel('Kind', { exact: true }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Tab');
  await page.getByLabel('State', { exact: true }).and(page.locator(':focus')).waitFor();
  for (const name of ['Clear filters', 'Live one', 'Actions for Live one']) {
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
  }
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Members' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('searchbox', { name: 'Add member' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByLabel('State', { exact: true }).selectOption('Deleted');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  visit.checkClean();
});
