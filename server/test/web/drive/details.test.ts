// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { makePng } from '../../support/media/pictures.ts';
import { startVisits, type VisitOptions } from '../../support/web/visits.ts';
import type { Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user with a folder of a few files, and the page of that folder. */
async function openFolder(options: VisitOptions = {}) {
  const person = await holdall.register('dara');
  await person.mkdir('/Work/Plans/Old');
  await person.upload('/Work/Plans/one.txt', '12345');
  await person.upload('/Work/Plans/Old/two.txt', '123');
  const picture = await person.upload('/Work/photo.png', makePng(64, 48), 'image/png');
  await person.ask('POST', '/api/v2/shares', { body: { fileId: picture.id } });
  visit = await begin({ viewport: { width: 1280, height: 800 }, ...options });
  await visit.logIn(person, '/drive/Work');
  const { page } = visit;
  const row = (name: string) => page.getByRole('row', { name });
  await row('photo.png').waitFor();
  const details = page.getByRole('complementary', { name: 'Details' });
  return { person, page, row, details };
}

describe('the details beside the list on a wide screen', () => {
  test('do not move the toolbar when the entries of the list arrive', inFull, async () => {
    const { page } = await openFolder();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/files/list?**', async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    const tool = page.getByRole('button', { name: 'Grid view' });
    const before = await tool.boundingBox();
    assert.equal(await page.getByRole('button', { name: 'Details', exact: true }).count(), 0, 'it is hidden');
    release();
    await page.getByRole('button', { name: 'Details', exact: true }).waitFor();
    assert.deepEqual(await tool.boundingBox(), before);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`follow the selection, ${colorScheme}`, colorScheme === 'light' ? {} : inFull, async () => {
      const { page, row, details } = await openFolder({ colorScheme });
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      await details.getByText('Select an item to see its details.').waitFor();
      await visit.checkAccessible();
      await row('Plans').click();
      await details.getByRole('heading', { name: 'Plans' }).waitFor();
      await details.getByText('2 files, 1 folder').waitFor();
      await details.getByText('8 bytes').waitFor();
      await visit.checkAccessible();
      await row('photo.png').click();
      await details.getByText('64 × 48 pixels').waitFor();
      await details.locator('img').waitFor();
      await details.getByRole('link', { name: 'My files / Work' }).waitFor();
      await visit.checkAccessible();
      await row('Plans').click({ modifiers: ['Control'] });
      await details.getByText('2 items', { exact: true }).waitFor();
      await row('photo.png').click();
      await details.getByRole('link', { name: '1 link' }).click();
      await page.waitForURL('**/shared?file=*');
    });
  }

  test('show the number of links to a folder, including folder links', inFull, async () => {
    const { person, page, row, details } = await openFolder();
    const plans = (await person.list('/Work')).items.find(({ filename }) => filename === 'Plans');
    await person.ask('POST', '/api/v2/folder-links', { body: { directoryId: plans?.id, mode: 'VIEW' } });
    // The page may have loaded the links before this one was created.
    await page.reload();
    await page.getByRole('button', { name: 'Details', exact: true }).click();
    await row('Plans').click();
    await details.getByRole('link', { name: '1 link' }).waitFor();
  });

  test(
    'open and close with Alt+Enter, are remembered by the device, and leave the letter i to find names',
    inFull,
    async () => {
      const { person, page, row, details } = await openFolder();
      await page.getByRole('grid').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Alt+Enter');
      await details.getByRole('heading', { name: 'photo.png' }).waitFor();
      await page.reload();
      await details.waitFor();
      const toggle = page.getByRole('button', { name: 'Details', exact: true });
      assert.equal(await toggle.getAttribute('aria-pressed'), 'true');
      await page.getByRole('grid').focus();
      await page.keyboard.press('Alt+Enter');
      await details.waitFor({ state: 'detached' });
      await person.upload('/Work/inn.txt', 'a letter');
      await row('inn.txt').waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('i');
      await row('inn.txt').and(page.locator('[aria-selected=true]')).waitFor();
      assert.equal(await details.count(), 0);
      await page.reload();
      await page.getByRole('row', { name: 'photo.png' }).waitFor();
      assert.equal(await toggle.getAttribute('aria-pressed'), 'false');
      assert.equal(await details.count(), 0);
    },
  );

  test('close with Escape, which returns to the list, and open from the menu', inFull, async () => {
    const { page, row, details } = await openFolder();
    await row('photo.png').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Details' }).click();
    await details.getByRole('heading', { name: 'photo.png' }).waitFor();
    await details.getByRole('button', { name: 'Close details' }).focus();
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await page.locator('[role=grid]:focus').waitFor();
  });

  test('do not open when a typed name contains the letter I', inFull, async () => {
    const { page, details } = await openFolder();
    await page.getByRole('grid').focus();
    await page.keyboard.type('pi');
    await page.keyboard.press('End');
    await page.getByRole('row', { name: 'photo.png', selected: true }).waitFor();
    assert.equal(await details.count(), 0);
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a phone shows the details in a drawer, ${colorScheme}`, inFull, async () => {
    const { page, row, details } = await openFolder({
      colorScheme,
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await row('Plans').waitFor();
    await page.getByRole('button', { name: 'Actions for Plans' }).tap();
    await page.getByRole('menuitem', { name: 'Details' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Details' });
    await drawer.getByText('2 files, 1 folder').waitFor();
    await drawer.getByText('No links').waitFor();
    await visit.checkAccessible();
    assert.equal(await details.count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
  });
}
