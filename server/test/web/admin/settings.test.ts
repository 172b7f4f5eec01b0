// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { User } from '../../../src/accounts/contract.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const chief = await holdall.admin();

for (const [device, gigabytes, options] of [
  ['a laptop', 3, {}],
  ['a dark phone', 4, { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`an admin changes the limits of new users, on ${device}`, async () => {
    const visit = await begin(options);
    const { page } = visit;
    await visit.logIn(chief, '/admin/settings');
    await page.getByRole('button', { name: 'Change the limits of new users' }).click();
    const dialog = page.getByRole('dialog', { name: 'Limits of new users' });
    const save = dialog.getByRole('button', { name: 'Save' });
    assert.equal(await save.isDisabled(), true);
    await dialog.getByLabel('Quota of new users', { exact: true }).fill(String(gigabytes));
    await dialog.getByLabel('Unit of: Quota of new users').selectOption('GB');
    const entries = dialog.getByLabel('Files and folders of new users');
    await entries.fill('1');
    await visit.checkAccessible();
    await save.click();
    await dialog.getByRole('alert').getByText('defaultMaxEntries must be at least').waitFor();
    await entries.fill(String(gigabytes * 1_000));
    await save.click();
    await page.getByText('The limits of new users were changed.').waitFor();
    await page.getByRole('region', { name: 'Registration' }).getByText(`${gigabytes} GB`).waitFor();
    await visit.checkAccessible();
    const person = await holdall.register(`new-${gigabytes}`);
    const { storageQuotaBytes, maxEntries } = await person.ask<User>('GET', '/api/user/profile');
    assert.deepEqual([storageQuotaBytes, maxEntries], [gigabytes * 1_000 ** 3, gigabytes * 1_000]);
  });
}
