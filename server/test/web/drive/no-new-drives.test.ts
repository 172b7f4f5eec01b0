// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSharedDrive } from '../../support/drives/shared-drives.ts';
import { row, startVisits } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits({ holdall: { env: { HOLDALL_SHARED_DRIVES: 'off' } } });

test('users who may not create shared drives see only those that exist', async () => {
  const alice = await holdall.register('alice');
  const visit = await begin();
  const { page } = visit;
  await visit.logIn(alice);
  const link = page.getByRole('link', { name: 'Shared drives' });
  await row(page, 'Documents').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Share', exact: true }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'Share with people…' }).count(), 0);
  await page.keyboard.press('Escape');
  await link.waitFor({ state: 'detached' });
  await createSharedDrive(holdall, [[alice, 'MANAGER']], { name: 'Old' });
  await page.goto('/drives');
  await link.waitFor();
  await page.getByRole('button', { name: 'Members and settings of Old' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'New shared drive' }).count(), 0);
  await visit.checkAccessible();
});
