// tier: default
// runs on: sqlite
// needs: browser
// What else a selection can do besides moving: a transfer, and one link for several entries. Also tests which
// element has the focus after a dialog.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import {
  hashFile,
  readCode,
  visitTransfer,
  WITHOUT_DIRECT_WAY,
  WITHOUT_PICKERS,
} from '../../support/web/transfer-visits.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, browser, begin, watch } = await startVisits({ browser: { isShared: false } });
const alice = await holdall.register('alice');
const film = new Uint8Array(randomBytes(12_000_000));
await alice.upload('/Trip/film.mov', film, 'video/quicktime');
await alice.upload('/Trip/Day 1/a.txt', 'first');
await alice.upload('/Trip/Day 1/More/b.txt', 'second');
await alice.upload('/Trip/list.txt', 'to pack');
await alice.mkdir('/Trip/Empty');

async function openTrip(
  options: BrowserContextOptions = {},
  scripts: readonly string[] = [],
): Promise<Visit> {
  const visit = await begin(options);
  for (const script of scripts) await visit.addScript(script);
  await visit.logIn(alice, '/drive/Trip');
  await row(visit.page, 'list.txt').waitFor();
  return visit;
}

async function receive(code: string, scripts: string[] = []): Promise<Page> {
  const visit = await visitTransfer(browser, holdall, {
    scripts: [WITHOUT_PICKERS, ...scripts],
    address: `/transfer/${code}`,
  });
  watch(visit);
  return visit.page;
}

async function choose(page: Page, action: string): Promise<void> {
  await page.getByRole('toolbar').getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

test('a file of the drive goes from browser to browser without being downloaded first', inFull, async () => {
  const sender = await openTrip();
  const { page } = sender;
  const asked: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/files/download/')) asked.push(request.headers().range);
  });
  await row(page, 'film.mov').click();
  await choose(page, 'Quick transfer…');
  const receiver = await receive(await readCode(page));
  assert.deepEqual(asked, [], 'nothing is read before somebody receives');
  const downloading = receiver.waitForEvent('download');
  await receiver.getByRole('button', { name: 'Receive', exact: true }).click();
  const hash = createHash('sha256').update(film).digest('hex');
  assert.equal(await hashFile(await (await downloading).path()), hash);
  await page.getByRole('heading', { name: 'Sent' }).waitFor();
  assert.ok(asked.length > 5 && asked.every((range) => /^bytes=\d+-\d+$/.test(range ?? '')), 'in parts');
  // While a transfer runs, another does not replace it.
  await page.getByRole('button', { name: 'Send something else' }).click();
  await page.goBack();
  await row(page, 'film.mov').click();
  await choose(page, 'Quick transfer…');
  const code = await readCode(page);
  await page.goBack();
  await row(page, 'list.txt').click();
  await choose(page, 'Quick transfer…');
  await page.getByText('Another transfer is running.').waitFor();
  assert.equal(await readCode(page), code);
});

test(
  'folders of the drive are sent with their files, through the service if need be, from a phone',
  inFull,
  async () => {
    const sender = await openTrip({ ...PHONE, colorScheme: 'dark' }, [WITHOUT_DIRECT_WAY]);
    const { page } = sender;
    await row(page, 'Day 1').getByRole('checkbox').tap();
    await row(page, 'list.txt').getByRole('checkbox').tap();
    await choose(page, 'Quick transfer…');
    const receiver = await receive(await readCode(page), [WITHOUT_DIRECT_WAY]);
    await receiver.getByText('Day 1/More/b.txt').waitFor();
    await receiver.getByRole('button', { name: 'Receive', exact: true }).click();
    await page.getByRole('button', { name: 'Store for 7 days' }).tap();
    await page.getByRole('heading', { name: 'Stored, ready for pickup' }).waitFor();
    const stored = await receive(await readCode(page));
    const downloading = stored.waitForEvent('download');
    await stored.getByRole('link', { name: 'Download list.txt' }).click();
    assert.equal(await readFile(await (await downloading).path(), 'utf8'), 'to pack');
    await sender.checkAccessible();
  },
);

test('a selection without files is not sent', inFull, async () => {
  const { page } = await openTrip();
  await row(page, 'Empty').click();
  await choose(page, 'Quick transfer…');
  await page.getByRole('alert').getByText('The selection contains no files.').waitFor();
  await page.waitForURL('**/drive/Trip');
});

for (const [device, options] of [
  ['laptop', {}],
  ['phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(
    `several entries are shared as one link on a ${device}`,
    device === 'laptop' ? {} : inFull,
    async () => {
      const visit = await openTrip(options);
      const { page } = visit;
      for (const name of ['Day 1', 'list.txt']) await row(page, name).getByRole('checkbox').click();
      if (device === 'phone') await choose(page, 'Share as one link');
      else await page.getByRole('toolbar').getByRole('button', { name: 'Share as one link' }).click();
      const ask = page.getByRole('dialog', { name: 'Share 2 items as one link' });
      await ask.getByLabel('Name').fill('list.txt');
      await visit.checkAccessible();
      await ask.getByRole('button', { name: 'Continue' }).click();
      // The name of a file is taken; the field keeps it.
      await ask.locator('input[aria-invalid=true]').waitFor();
      await ask.getByLabel('Name').fill(`For ${device}`);
      await ask.getByRole('button', { name: 'Continue' }).click();
      const share = page.getByRole('dialog', { name: `Share “For ${device}”` });
      await share.getByRole('button', { name: 'Create link' }).click();
      await visit.checkAccessible();
      const links = await waitFor(
        () =>
          alice.ask<{ items: { token: string; directoryPath: string }[] }>(
            'GET',
            '/api/v2/folder-links/mine',
          ),
        ({ items }) => items.some(({ directoryPath }) => directoryPath === `/Trip/For ${device}`),
        'the link',
      );
      const link = links.items.find(({ directoryPath }) => directoryPath === `/Trip/For ${device}`);
      const visitor = await begin();
      await visitor.page.goto(`/f/${link?.token}`);
      await visitor.page.getByText('Day 1').waitFor();
      await visitor.page.getByText('list.txt').waitFor();
      assert.equal(await visitor.page.getByText('film.mov').count(), 0);
      const names = (await alice.tree()).map(({ path }) => path);
      assert.ok(
        names.includes(`/Trip/For ${device}/Day 1/More/b.txt`) && names.includes('/Trip/Day 1/a.txt'),
      );
    },
  );
}

test('a closed dialog returns the focus to the element that had it, or else to the list', async () => {
  const { page } = await openTrip();
  const close = async () => {
    // After the dialog has closed, keys go to the page again.
    await page.locator('[role=dialog]:focus, [role=dialog] :focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const grid = page.locator('[role=grid]:focus');
  await row(page, 'list.txt').click();
  await page.keyboard.press('?');
  await close();
  await grid.waitFor();
  await page.keyboard.press('Control+a');
  await page.getByText(/^\d selected$/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New folder' }).click();
  await close();
  await page.locator('button:focus', { hasText: 'New folder' }).waitFor();
  for (const action of ['Move to', 'Share']) {
    await row(page, 'list.txt').click({ button: 'right' });
    await page.getByRole('menuitem', { name: action }).click();
    await close();
    await grid.waitFor();
  }
  // The dialog is opened from a menu of the space beside the entries, which is gone afterwards.
  const box = await page.getByRole('main').boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 150, { button: 'right' });
  await page.getByRole('menuitem', { name: 'New folder' }).click();
  await close();
  await grid.waitFor();
});
