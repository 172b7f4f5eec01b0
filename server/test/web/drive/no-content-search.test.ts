// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startVisits } from '../../support/web/visits.ts';

const { holdall, begin } = await startVisits({ holdall: { env: { HOLDALL_CONTENT_SEARCH: 'off' } } });

test('a search is by name if the server cannot search content', async () => {
  const alice = await holdall.register('alice');
  await alice.upload('/rent.txt', 'The deposit is due in May.', 'text/plain');
  const visit = await begin();
  const { page } = visit;
  // For example from a bookmark.
  await visit.logIn(alice, '/search?q=rent&in=content');
  await page.getByRole('row', { name: 'rent.txt' }).waitFor();
  await page.getByText('1 match', { exact: true }).waitFor();
  assert.equal(await page.getByRole('radio', { name: 'Content', exact: true }).count(), 0);
  await page.getByRole('searchbox').fill('deposit');
  await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
  assert.equal(await page.getByRole('button', { name: /content/ }).count(), 0);
  await visit.checkAccessible();
});
