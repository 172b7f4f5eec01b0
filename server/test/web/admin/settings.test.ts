// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { User } from '../../../src/accounts/contract.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const chief = await holdall.admin();

for (const [device, gigabytes, options] of [
  ['a laptop', 3, {}],
  ['a dark phone', 4, { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `an admin changes the defaults for new users, on ${device}`,
    device === 'a laptop' ? {} : inFull,
    async () => {
      const visit = await begin(options);
      const { page } = visit;
      await visit.logIn(chief, '/admin/settings');
      await page.getByRole('button', { name: 'Change defaults for new users' }).click();
      const dialog = page.getByRole('dialog', { name: 'Defaults for new users' });
      const save = dialog.getByRole('button', { name: 'Save' });
      assert.equal(await save.isDisabled(), true);
      await dialog.getByLabel('Storage quota for new users', { exact: true }).fill(String(gigabytes));
      await dialog.getByLabel('Unit for Storage quota for new users').selectOption('GB');
      const entries = dialog.getByLabel('Maximum files and folders for new users');
      await entries.fill('1');
      await dialog.getByText('New users need at least').waitFor();
      assert.equal(await save.isDisabled(), true);
      await visit.checkAccessible();
      await entries.fill(String(gigabytes * 1_000));
      const folders = dialog.getByLabel('Folders for new users', { exact: true });
      await folders.fill('Inbox/Letters');
      await dialog.getByText("Names can't contain a slash (/).").waitFor();
      assert.equal(await save.isDisabled(), true);
      await folders.fill('Inbox\n..\n');
      await save.click();
      await dialog.getByText('The name must not be "." or "..".').waitFor();
      await visit.checkAccessible();
      await folders.fill(`Inbox\n\n ${device} \nInbox`);
      await save.click();
      await page.getByText('Changed the defaults for new users.').waitFor();
      const registration = page.getByRole('region', { name: 'Registration' });
      await registration.getByText(`${gigabytes} GB`).waitFor();
      await registration.getByText(`Inbox, ${device}`).waitFor();
      await visit.checkAccessible();
      const person = await holdall.register(`new-${gigabytes}`);
      const { storageQuotaBytes, maxEntries } = await person.ask<User>('GET', '/api/user/profile');
      assert.deepEqual([storageQuotaBytes, maxEntries], [gigabytes * 1_000 ** 3, gigabytes * 1_000]);
      assert.deepEqual(await person.names('/'), [device, 'Inbox']);
    },
  );
}

test('the disk meter agrees with its text, also in forced colors', inFull, async () => {
  const visit = await begin({ forcedColors: 'active' });
  const { page } = visit;
  await page.route('**/api/admin/filesystem', async (route) => {
    const response = await route.fetch();
    const answer = await response.json();
    Object.assign(answer.data.dataDirectory, {
      ...{ totalBytes: 271_000_000_000, freeBytes: 241_000_000_000, availableBytes: 79_000_000_000 },
    });
    await route.fulfill({ response, json: answer });
  });
  await visit.logIn(chief, '/admin/settings');
  const meter = page.getByRole('progressbar', { name: '79 GB free of 109 GB' });
  await meter.waitFor();
  assert.equal(Math.round(Number(await meter.getAttribute('aria-valuenow'))), 28);
  const [filled, empty] = await meter.evaluate((section) => [
    getComputedStyle(section).backgroundColor,
    getComputedStyle(section.parentElement ?? section).backgroundColor,
  ]);
  assert.notEqual(filled, empty);
});
