// tier: default
// runs on: sqlite
// needs: browser
// What the drive's lists show, and how the user changes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { formOf, type Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { row, startVisits, type VisitOptions } from '../../support/web/visits.ts';
import { PHONE, type Visit } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

/** A person with a folder of a few entries, and the page of that folder. */
async function openFolder(options: VisitOptions = {}) {
  const person = await holdall.register('quinn');
  await person.upload('/Work/Plans/first.txt', '1234567890');
  await person.upload('/Work/Plans/Deep/second.txt', '1234567890');
  await person.upload('/Work/alpha.txt', 'alpha');
  const visit = await begin(options);
  await visit.logIn(person, '/drive/Work');
  await row(visit.page, 'alpha.txt').waitFor();
  return { person, page: visit.page, visit };
}

async function uploadOf(person: Person, path: string, modifiedAt: string): Promise<void> {
  const form = formOf(path, 'x');
  form.set('modifiedAt', modifiedAt);
  await person.ask('POST', '/api/files/upload', { body: form });
}

/** A visit shortly before midnight in Shanghai, to files of several dates. */
async function visitAtNight(options: VisitOptions, language: string): Promise<Visit> {
  const person = await holdall.register(`night-${language.toLowerCase()}`);
  await uploadOf(person, '/Dates/today.txt', '2026-11-29T11:42:00Z');
  await uploadOf(person, '/Dates/yesterday.txt', '2026-11-28T15:00:00Z');
  await uploadOf(person, '/Dates/november.txt', '2026-11-12T08:00:00Z');
  await uploadOf(person, '/Dates/long ago.txt', '2025-11-12T08:00:00Z');
  const visit = await begin({ timezoneId: 'Asia/Shanghai', locale: language, ...options });
  await visit.context.clock.install({ time: '2026-11-29T15:50:00Z' });
  await visit.logIn(person, '/drive/Dates');
  await row(visit.page, 'today.txt').waitFor();
  return visit;
}

/** The dates of the files, the oldest first. */
async function datesOf(page: Page): Promise<readonly string[]> {
  const names = ['long ago.txt', 'november.txt', 'yesterday.txt', 'today.txt'];
  return await Promise.all(names.map((name) => row(page, name).locator('time').innerText()));
}

test('dates are short, have the whole time as a tooltip, and change at midnight', async () => {
  const visit = await visitAtNight({}, 'en-GB');
  const { page } = visit;
  assert.deepEqual(await datesOf(page), ['12 Nov 2025', '12 Nov', 'Yesterday', '19:42']);
  const time = row(page, 'today.txt').locator('time');
  assert.equal(await time.getAttribute('title'), '29 Nov 2026, 19:42');
  assert.equal(await time.getAttribute('datetime'), '2026-11-29T11:42:00.000Z');
  await visit.checkAccessible();
  await page.clock.fastForward('10:00');
  await row(page, 'today.txt').getByText('Yesterday', { exact: true }).waitFor();
  assert.deepEqual(await datesOf(page), ['12 Nov 2025', '12 Nov', '28 Nov', 'Yesterday']);
});

test('dates are in the language of the page, also on a phone', inFull, async () => {
  const { page } = await visitAtNight(PHONE, 'zh-CN');
  assert.deepEqual(await datesOf(page), ['2025年11月12日', '11月12日', '昨天', '19:42']);
});

test('columns are chosen at their heads with the keyboard, and in the view menu, and remembered', async () => {
  const { page, visit } = await openFolder();
  const titles = () => page.getByRole('columnheader').allInnerTexts();
  assert.ok(!(await titles()).includes('Kind'));
  await page.getByRole('columnheader').getByRole('button', { name: 'Columns' }).focus();
  await page.keyboard.press('Enter');
  const kind = page.getByRole('menuitemcheckbox', { name: 'Kind' });
  await kind.waitFor();
  assert.equal(await page.getByRole('menuitemcheckbox', { name: 'Modified by' }).count(), 0);
  await visit.checkAccessible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await row(page, 'alpha.txt').getByText('Text', { exact: true }).waitFor();
  await row(page, 'Plans').getByText('Folder', { exact: true }).waitFor();
  // The keys were meant for the menu.
  assert.equal(await page.getByRole('row', { selected: true }).count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sort and view' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Size' }).click();
  await page.getByRole('columnheader', { name: 'Size' }).waitFor({ state: 'detached' });
  await page.getByRole('menuitemcheckbox', { name: 'Added' }).click();
  await visit.checkAccessible();
  await page.reload();
  await row(page, 'alpha.txt').waitFor();
  const [, name, ...shown] = (await titles()).map((title) => title.trim());
  assert.deepEqual([name, shown[0], shown[2], shown.length], ['Name', 'Kind', 'Added', 4]);
});

test('folders are on top of a list by name, or among the files', inFull, async () => {
  const { page } = await openFolder();
  const names = () => page.getByRole('grid').getByRole('link').allTextContents();
  assert.deepEqual(await names(), ['Plans', 'alpha.txt']);
  await page.getByRole('button', { name: 'Sort and view' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Folders on top' }).click();
  await waitFor(names, (now) => now.join() === 'alpha.txt,Plans', 'the order of names');
  await page.getByRole('columnheader').getByRole('button', { name: 'Name' }).click();
  await waitFor(names, (now) => now.join() === 'Plans,alpha.txt', 'the reverse order of names');
});

test('names stay near their sizes on a wide screen', async () => {
  const { page } = await openFolder({ viewport: { width: 1_920, height: 900 } });
  const [name, size] = await Promise.all(
    ['Name', 'Size'].map((title) => page.getByRole('columnheader', { name: title }).boundingBox()),
  );
  assert.ok(name && size && size.x - name.x <= 520, `${size?.x} is far from ${name?.x}`);
});

test('a tooltip names an icon button for the mouse and the keyboard, and Escape closes it', async () => {
  const { page, visit } = await openFolder();
  const tooltip = page.locator('[popover]');
  const button = page.getByRole('button', { name: 'Sort and view' });
  await waitFor(
    async () => {
      // Tooltips are loaded when the page is idle, and do not notice a mouse that was there before.
      await page.mouse.move(0, 0);
      await button.hover();
      await tooltip.waitFor({ timeout: 1_000 }).catch(() => undefined);
      return await tooltip.count();
    },
    (count) => count === 1,
    'the tooltip',
  );
  assert.equal(await tooltip.innerText(), 'Sort and view');
  await visit.checkAccessible();
  await page.keyboard.press('Escape');
  await tooltip.waitFor({ state: 'detached' });
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).focus();
  await page.keyboard.press('Tab');
  await tooltip.getByText('Sort and view').waitFor();
  // A screen reader reads the name of the button only.
  assert.equal(await page.getByText('Sort and view').and(page.locator(':not([aria-hidden])')).count(), 0);
  assert.equal(await button.getAttribute('title'), null);
  assert.equal(await button.getAttribute('aria-describedby'), null);
});

test('by choice, a click on a name selects the entry, and a double click opens it', async () => {
  const { page } = await openFolder();
  const name = row(page, 'Plans').getByRole('link', { name: 'Plans' });
  const styleOf = () =>
    name.evaluate((link) => {
      const { cursor, textDecorationLine } = getComputedStyle(link);
      return [cursor, textDecorationLine];
    });
  await name.hover();
  assert.deepEqual(await styleOf(), ['pointer', 'underline']);
  await page.getByRole('button', { name: 'Sort and view' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Open with double click' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await name.click();
  await page.getByRole('row', { name: 'Plans', selected: true }).waitFor();
  assert.deepEqual(await styleOf(), ['default', 'none']);
  await name.dblclick();
  await row(page, 'first.txt').waitFor();
  // The setting is about all lists.
  await page.getByRole('link', { name: 'Recent' }).click();
  await row(page, 'alpha.txt').getByRole('link', { name: 'alpha.txt' }).click();
  await page.getByRole('row', { name: 'alpha.txt', selected: true }).waitFor();
});

test('the size of a folder is calculated on demand, and the calculation can be stopped', async () => {
  const { page, person } = await openFolder();
  await person.mkdir('/Work/Empty');
  await row(page, 'Empty').waitFor();
  const choose = async (name: string, action: string) => {
    await row(page, name).click({ button: 'right' });
    await page.getByRole('menuitem', { name: action }).click();
  };
  await choose('Plans', 'Calculate size');
  await row(page, 'Plans').getByText('20 bytes').waitFor();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/v2/files/*', async (route) => {
    await held;
    await route.continue().catch(() => undefined);
  });
  await choose('Empty', 'Calculate size');
  await row(page, 'Empty').getByLabel('Calculating').waitFor();
  await choose('Empty', 'Stop calculating');
  await row(page, 'Empty').getByLabel('Calculating').waitFor({ state: 'detached' });
  await row(page, 'Plans').getByText('20 bytes').waitFor();
  release();
});
