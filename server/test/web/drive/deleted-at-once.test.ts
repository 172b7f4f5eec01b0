// tier: full
// runs on: sqlite
// needs: browser
// A deleted entry leaves every list immediately. It does not wait for the service's answer or a new list.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { fillDirectory } from '../../support/drive/large-directory.ts';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
let visit: Visit;

/** A user with pictures, and a page whose deletions the test holds back until it calls `letThrough`. */
async function open(address: string, options: BrowserContextOptions = {}) {
  const person = await holdall.register('dora');
  for (const name of ['a.png', 'b.png', 'c.png']) {
    const entry = await person.upload(`/Trip/${name}`, makePng(40, 30), 'image/png');
    await person.ask('PUT', `/api/v2/files/${entry.id}/star`);
  }
  visit = await begin(options);
  let letThrough = () => {};
  const open = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await visit.page.route('**/api/files/*', async (route) => {
    if (route.request().method() === 'DELETE') await open;
    await route.continue();
  });
  await visit.logIn(person, address);
  return { person, page: visit.page, letThrough };
}

const PLACES = [
  { address: '/photos', role: 'gridcell' },
  { address: '/starred', role: 'row' },
  { address: '/search?q=png', role: 'row' },
  { address: '/recent', role: 'row' },
] as const;

for (const { address, role } of PLACES) {
  for (const [device, options] of [
    ['laptop', {}],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const) {
    test(`a deleted entry leaves the list immediately, in ${address} on a ${device}`, async () => {
      const { person, page, letThrough } = await open(address, options);
      const entry = (name: string) => page.getByRole(role, { name });
      await entry('b.png').waitFor();
      if (address === '/photos') await entry('b.png').click({ button: 'right' });
      else await entry('b.png').getByRole('checkbox').click({ force: true });
      const place = page.getByRole(address === '/photos' ? 'menu' : 'toolbar');
      await place
        .getByText('Delete')
        .or(place.getByRole('button', { name: 'Delete' }))
        .first()
        .click();
      await entry('b.png').waitFor({ state: 'detached' });
      await entry('a.png').waitFor();
      await entry('c.png').waitFor();
      assert.equal((await person.bin()).total, 0, 'the service does not know of it yet');
      // A change by another app makes the page refetch the list. The page waits until the deletion is done.
      await person.upload('/Trip/d.png', makePng(40, 30), 'image/png');
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      assert.equal(await entry('b.png').count(), 0);
      letThrough();
      await waitFor(
        () => person.bin(),
        ({ total }) => total === 1,
        'the deletion',
      );
      await page.getByRole('button', { name: 'Undo' }).click();
      await entry('b.png').waitFor();
    });
  }
}

test('a deleted entry leaves a folder of several pages immediately, and the others move up', async () => {
  const { person, page, letThrough } = await open('/login');
  const directory = await person.mkdir('/Large');
  const like = (await person.list('/Trip')).items[0] ?? assert.fail();
  await fillDirectory(holdall, directory, { count: 500, like });
  await page.goto('/drive/Large');
  const names = async (at: Page) =>
    (await at.getByRole('row').allInnerTexts()).slice(1, 4).map((text) => text.split('\n')[0]);
  await page.getByRole('row', { name: 'file 00001.txt' }).waitFor();
  const before = await names(page);
  await page.getByRole('row', { name: 'file 00001.txt' }).click();
  await page.keyboard.press('Delete');
  await page.getByRole('row', { name: 'file 00001.txt' }).waitFor({ state: 'detached' });
  await page.getByRole('row', { name: 'file 00002.txt' }).waitFor();
  assert.notDeepEqual(await names(page), before);
  letThrough();
  await page.getByText('Moved “file 00001.txt” to the bin.').waitFor();
});

test('if another device deletes an entry during its rename, the typed name is shown', async () => {
  const { person, page, letThrough } = await open('/drive/Trip');
  letThrough();
  await page.getByRole('row', { name: 'b.png' }).click();
  await page.keyboard.press('F2');
  await page.keyboard.type('Harbour at night');
  const found = (await person.list('/Trip')).items.find(({ filename }) => filename === 'b.png');
  assert.ok(found);
  await person.recycle(found);
  await page.getByText('You typed “Harbour at night.png”.').waitFor();
  assert.deepEqual(await person.names('/Trip'), ['a.png', 'c.png']);
});
