// runs on: sqlite
// needs: browser
// Parts of the client that cannot be loaded when they are needed.
import { test } from 'node:test';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

test('a page and a dialog that could not be loaded appear when the connection is back', async () => {
  const visit = await begin();
  const { page } = visit;
  let isBroken = true;
  await page.route(/\/assets\/(bin-page|shortcuts-dialog)-[^/]*\.js$/, (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  await visit.logIn(await holdall.register('patient'), '/drive');
  await page.getByRole('row', { name: 'Documents' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('alert').getByText('A part of the page could not be loaded.').waitFor();
  await visit.checkAccessible();
  isBroken = false;
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  isBroken = true;
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('bin-page'));
  await page.getByRole('link', { name: 'Recycle bin' }).click();
  await failed;
  isBroken = false;
  await page.getByRole('heading', { name: 'Recycle bin', level: 1 }).waitFor();
});

test('a page whose files a newer version has replaced offers to load it, on a dark phone', async () => {
  const visit = await begin({ ...PHONE, colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(await holdall.register('upgraded'), '/drive');
  await page.getByRole('row', { name: 'Documents' }).waitFor();
  await page.route(/\/assets\/photos-page-[^/]*\.js$/, (route) => route.fulfill({ status: 404 }));
  await page.route('**/drive', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(<script type="module"[^>]* src=")[^"]*/, '$1/web/new.js');
    await route.fulfill({ response, body });
  });
  await page.getByRole('button', { name: 'Open the menu' }).tap();
  await page.getByRole('dialog').getByRole('link', { name: 'Photos' }).tap();
  await page.getByText('A new version of Holdall is ready.').waitFor();
  await visit.checkAccessible();
  await page.unrouteAll();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).tap();
  await loaded;
  await page
    .getByRole('heading', { name: 'Photos', level: 1 })
    .or(page.getByRole('heading', { name: 'My files' }))
    .waitFor();
});
