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
      await page.getByText('All drives').click();
      await page.waitForURL('**/search?q=forum&scope=all');
      await page.getByText('2 matches').waitFor();
      const found = page.getByRole('grid', { name: 'Search results' });
      const theirs = found.getByRole('row', { name: 'forum at night.txt' });
      await theirs.getByText(/Team/).first().waitFor();
      await visit.checkAccessible();
      if ('colorScheme' in settings) return;
      await theirs.getByText('forum at night.txt').dblclick();
      await page.getByRole('dialog').getByText('dark').waitFor();
      await page.reload();
      await page.getByRole('dialog').getByText('dark').waitFor();
      await page.keyboard.press('Escape');
      await theirs.getByRole('link', { name: 'Rome' }).click();
      await page.waitForURL(`**/drives/${id}/files/trips/Rome**`);
      assert.equal(await page.getByRole('row', { name: 'forum at night.txt' }).count(), 1);
    });
  }
});
