// tier: default
// runs on: sqlite
// needs: browser
// Parts of the client that cannot be loaded when they are needed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

const REPLACED = 'Holdall has been updated.';

/**
 * Simulates that the service has a newer version of the client, without these parts of the page's version.
 */
async function upgrade(page: Page, parts: RegExp, onAsked: () => void = () => undefined): Promise<void> {
  await page.route(parts, (route) => {
    onAsked();
    return route.fulfill({ status: 404 });
  });
  await page.route('**/drive', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(<script type="module"[^>]* src=")[^"]*/, '$1/web/new.js');
    await route.fulfill({ response, body });
  });
}

// Runs before the tests that load these parts. A later visit may reuse a page that has them in memory.
test(
  'a part that a newer version has replaced is requested once, and the user is asked once',
  inFull,
  async () => {
    const visit = await begin();
    const { page } = visit;
    await visit.logIn(await holdall.register('closing'), '/drive');
    await page.getByRole('row', { name: 'Documents' }).waitFor();
    let asked = 0;
    const parts = /\/assets\/(shortcuts-dialog|new-entry-dialog)-[^/]*\.js$/;
    await upgrade(page, parts, () => {
      asked += 1;
    });
    await page.keyboard.press('?');
    const notice = page.getByRole('alert').filter({ hasText: REPLACED });
    await notice.waitFor();
    await visit.checkAccessible();
    const before = asked;
    // Twice as long as the page waits before it requests a part again without a connection.
    await sleep(7_000);
    assert.equal(asked, before);
    assert.equal(await notice.count(), 1);
    await notice.getByRole('button', { name: 'Close' }).click();
    await sleep(4_000);
    assert.deepEqual([asked, await notice.count()], [before, 0]);
    // The next action of the user shows the notice that says why nothing happens.
    await page.getByRole('button', { name: 'New folder' }).click();
    await notice.waitFor();
    assert.ok(asked > before);
  },
);

test('a page and a dialog that could not be loaded appear when the connection is back', async () => {
  const visit = await begin();
  const { page } = visit;
  let isBroken = true;
  await page.route(/\/assets\/(bin-page|shortcuts-dialog)-[^/]*\.js$/, (route) =>
    isBroken ? route.abort() : route.continue(),
  );
  await visit.logIn(await holdall.register('patient'), '/drive');
  await page.locator('[role=grid]:focus').getByRole('row', { name: 'Documents' }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('alert').getByText("Part of this page didn't load.").waitFor();
  await visit.checkAccessible();
  isBroken = false;
  await page.getByRole('dialog', { name: 'Keyboard' }).locator(':focus').waitFor();
  await page.keyboard.press('Escape');
  isBroken = true;
  const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('bin-page'));
  await page.getByRole('link', { name: 'Recycle bin' }).click();
  await failed;
  isBroken = false;
  await page.getByRole('heading', { name: 'Recycle bin', level: 1 }).waitFor();
});

test(
  'a page whose files a newer version has replaced offers to load it, on a dark phone',
  inFull,
  async () => {
    const visit = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await visit.logIn(await holdall.register('upgraded'), '/drive');
    await page.getByRole('row', { name: 'Documents' }).waitFor();
    await upgrade(page, /\/assets\/photos-page-[^/]*\.js$/);
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    await page.getByRole('dialog').getByRole('link', { name: 'Photos' }).tap();
    await page.getByText(REPLACED).waitFor();
    await visit.checkAccessible();
    await page.unrouteAll();
    const loaded = page.waitForEvent('load');
    await page.getByRole('button', { name: 'Reload' }).tap();
    await loaded;
    await page
      .getByRole('heading', { name: 'Photos', level: 1 })
      .or(page.getByRole('heading', { name: 'My files' }))
      .waitFor();
  },
);
