// tier: default
// runs on: sqlite
// needs: browser
// Back closes whatever was opened last. Phone users rely on this most.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/Documents/letter.txt', 'Dear all', 'text/plain');

async function openFolder(): Promise<Page> {
  const { page } = await (await begin(PHONE)).logIn(alice);
  await row(page, 'Documents').getByText('Documents').tap();
  await row(page, 'letter.txt').waitFor();
  return page;
}

async function openMenu(page: Page): Promise<void> {
  await row(page, 'letter.txt').getByRole('button', { name: 'Actions' }).tap();
  await page.getByRole('menu').waitFor();
}

/** In the order in which users open them. */
const LAYERS: readonly (readonly [name: string, open: (page: Page) => Promise<void>, role: string])[] = [
  ['a menu', openMenu, '[role=menu]'],
  [
    'a dialog',
    async (page) => {
      await openMenu(page);
      await page.getByRole('menuitem', { name: 'Share' }).tap();
    },
    '[role=dialog]',
  ],
  [
    'the navigation',
    (page) => page.getByRole('button', { name: 'More', exact: true }).tap(),
    '[role=dialog]',
  ],
  [
    'the search field',
    (page) => page.getByRole('button', { name: 'Search', exact: true }).tap(),
    'search[data-open]',
  ],
  [
    'a selection',
    (page) => page.getByRole('checkbox', { name: 'Select letter.txt' }).tap(),
    '[role=grid][data-selecting]',
  ],
];

describe('Back', () => {
  for (const [name, open, layer] of LAYERS) {
    test(`closes ${name}, and only then leaves the folder`, name === 'a dialog' ? {} : inFull, async () => {
      const page = await openFolder();
      await open(page);
      await page.locator(layer).waitFor();
      await page.goBack();
      await page.locator(layer).waitFor({ state: 'detached' });
      assert.equal(new URL(page.url()).pathname, '/drive/Documents');
      await page.goBack();
      await page.waitForURL('**/drive');
    });
  }

  test('closes a dialog that does not have the focus yet', inFull, async () => {
    const page = await openFolder();
    await page.evaluate(() => {
      HTMLElement.prototype.focus = () => {};
    });
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    await page.getByRole('dialog').waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/drive/Documents');
  });

  test('closes what is over a preview, and then the preview', inFull, async () => {
    const page = await openFolder();
    await row(page, 'letter.txt').getByText('letter.txt').tap();
    await page.getByRole('button', { name: 'Details' }).tap();
    await page.getByRole('dialog', { name: 'Details' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog', { name: 'Details' }).waitFor({ state: 'detached' });
    await page.getByRole('dialog', { name: 'letter.txt' }).waitFor();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/drive/Documents');
  });

  test('closes what is open on the first page of an installed app', inFull, async () => {
    const visit = await begin(PHONE);
    // The gesture of a phone asks the browser's close watcher.
    await visit.addScript(`
      window.watchers = [];
      const Original = window.CloseWatcher;
      window.CloseWatcher = class extends Original {
        constructor() {
          super();
          window.watchers.push(this);
        }
      };
    `);
    const { page } = await visit.logIn(alice);
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    await page.getByRole('dialog').waitFor();
    await waitFor(() => page.evaluate<number>('window.watchers.length'), Boolean, 'the close watcher');
    await page.evaluate('window.watchers.at(-1).requestClose()');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
