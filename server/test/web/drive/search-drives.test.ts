// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createDrive, inDrive } from '../../support/drives/shared-drives.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/mine/forum.txt', 'stones');
const { id } = await createDrive(alice, 'Team');
await inDrive(alice, id).upload('/trips/Rome/forum at night.txt', 'dark');

describe('a search', () => {
  for (const settings of [{}, { colorScheme: 'dark', ...PHONE }] as const) {
    test(`covers all drives on demand, ${'colorScheme' in settings ? 'on a phone' : 'on a desktop'}`, async () => {
      const visit = await (await begin(settings)).logIn(alice, '/search?q=forum');
      const { page } = visit;
      await page.getByText('1 match', { exact: true }).waitFor();
      assert.equal(await page.getByLabel('Search all drives').count(), 0);
      await page.getByText('All drives').click();
      await page.waitForURL('**/search?q=forum&scope=all');
      await page.getByText('2 matches').waitFor();
      const found = page.getByRole('grid', { name: 'Search results' });
      const theirs = found.getByRole('row', { name: 'forum at night.txt' });
      await theirs.getByText(/Team/).first().waitFor();
      assert.equal(await page.getByLabel('Search all drives').count(), 1);
      await visit.checkAccessible();
      if ('colorScheme' in settings) return;
      await theirs.getByText('forum at night.txt').dblclick();
      await page.getByRole('dialog').getByText('dark').waitFor();
      await page.reload();
      await page.getByRole('dialog').getByText('dark').waitFor();
      await page.keyboard.press('Escape');
      await theirs.getByRole('link', { name: 'Rome' }).click();
      await page.waitForURL(`**/drives/${id}/files/trips/Rome**`);
      await page.getByRole('row', { name: 'forum at night.txt' }).waitFor();
    });
  }
});

test('the drive of each found entry decides what may be done with it', async () => {
  const bob = await holdall.register('bob');
  await bob.upload('/gate.txt', 'mine');
  const { id: viewed } = await createDrive(alice, 'Archive', [{ person: bob, role: 'VIEWER' }]);
  const { id: edited } = await createDrive(alice, 'Garden', [{ person: bob, role: 'EDITOR' }]);
  await inDrive(alice, viewed).upload('/gate seen.txt', 'seen');
  await inDrive(alice, edited).upload('/gate painted.txt', 'painted');
  // The page is one of the drive where bob may only look.
  const { page } = await (await begin()).logIn(bob, `/drives/${viewed}/search?q=gate&scope=all`);
  await page.getByText('3 matches').waitFor();
  const found = page.getByRole('grid', { name: 'Search results' });
  const menuOf = async (name: string) => {
    await found.getByRole('row', { name }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Download' }).waitFor();
    const count = await page.getByRole('menuitem', { name: /^(Rename|Delete)/ }).count();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    return count;
  };
  assert.deepEqual([await menuOf('gate seen.txt'), await menuOf('gate painted.txt')], [0, 2]);
  const actions = page.getByRole('toolbar');
  await found.getByRole('row', { name: 'gate seen.txt' }).click();
  await found.getByRole('row', { name: 'gate painted.txt' }).click({ modifiers: ['Control'] });
  await actions.getByRole('button', { name: 'Download' }).waitFor();
  assert.equal(await actions.getByRole('button', { name: 'Delete' }).count(), 0);
  await found.getByRole('row', { name: 'gate painted.txt' }).click();
  await found.getByRole('row', { name: 'gate.txt' }).click({ modifiers: ['Control'] });
  await actions.getByRole('button', { name: 'Delete' }).waitFor();
  await found.getByRole('row', { name: 'gate.txt' }).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Compress' }).click();
  await page.getByText('These items are in several drives. Select items from one drive.').waitFor();
});
