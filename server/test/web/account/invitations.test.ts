// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { AdminInvite } from '../../../src/admin/invites/contract.ts';
import { applicationOf } from '../../support/app/person.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const admin = await holdall.admin();
await admin.ask('PUT', '/api/user/profile', { body: { displayName: 'Ann' } });
await admin.ask('PATCH', '/api/admin/settings/instance', { body: { name: 'Meyer family' } });

const create = () => admin.ask<AdminInvite>('POST', '/api/admin/invites', { body: { uses: 1 } });

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `an invitation says who invites, and a used one says so before anything is typed, on ${device}`,
    device === 'a laptop' ? {} : inFull,
    async () => {
      const { code } = await create();
      const visit = await begin(options);
      const { page } = visit;
      await page.goto(`/register?code=${code}`);
      await page.getByRole('heading', { name: 'Ann invites you to Meyer family' }).waitFor();
      const username = page.getByLabel('Username');
      await page.locator('input[name=username]:focus').waitFor();
      assert.equal(await page.getByRole('textbox').count(), 4);
      const password = page.getByLabel('Password', { exact: true });
      const hints = [
        [username, 'username'],
        [password, 'new-password'],
        [page.getByLabel('E-mail'), 'email'],
        [page.getByLabel('Phone number'), 'tel'],
      ] as const;
      for (const [field, hint] of hints) assert.equal(await field.getAttribute('autocomplete'), hint);
      await password.fill('sesame');
      await page.getByRole('button', { name: 'Show password' }).click();
      assert.equal(await password.getAttribute('type'), 'text');
      await visit.checkAccessible();

      const body = applicationOf(`first-${device.length}`, code);
      await holdall.anonymous.ask('POST', '/api/auth/register', { body });
      await page.reload();
      await page.getByRole('heading', { name: "This invitation doesn't work" }).waitFor();
      await page.getByRole('alert').getByText('It may have expired or been used already.').waitFor();
      assert.equal(await page.getByRole('textbox').count(), 0);
      await visit.checkAccessible();
      await page.getByRole('button', { name: 'Enter another code' }).click();
      await page.getByRole('heading', { name: 'Join Meyer family' }).waitFor();
      await page.getByLabel('Invite code').waitFor();
    },
  );
}

test('an invitation that someone else uses meanwhile shows its code at the rejected field', async () => {
  const { code } = await create();
  const visit = await begin();
  const { page } = visit;
  await page.goto(`/register?code=${code}`);
  const late = applicationOf('late', code);
  await page.getByLabel('Username').fill(late.username);
  await page.getByLabel('Password', { exact: true }).fill(late.password);
  await page.getByLabel('E-mail').fill(late.email);
  await page.getByLabel('Phone number').fill(late.phoneNumber);
  await holdall.anonymous.ask('POST', '/api/auth/register', { body: applicationOf('quick', code) });
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('alert').getByText('The invite code is not valid.').waitFor();
  await page.getByLabel('Invite code').fill((await create()).code);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'My files' }).waitFor();
});
