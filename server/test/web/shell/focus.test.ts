// tier: default
// runs on: sqlite
// needs: browser
// Where the focus is after a dialog. Every visit of the tests checks that it is not lost (`focus-watch.ts`).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../../../tools/testing/wait-until.ts';
import { makePng } from '../../support/media/pictures.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const { holdall, browser, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/red.png', makePng(8, 8), 'image/png');
await alice.upload('/notes.txt', 'Dear all');

/** What has the focus: its name, or the name of the row. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return (
      activeElement?.ariaLabel ??
      activeElement?.querySelector('a')?.textContent ??
      activeElement?.textContent ??
      ''
    );
  });
}

/** Presses keys that open a dialog, and Escape. Returns what had the focus before and has it afterwards. */
async function openAndClose(page: Page, ...keys: readonly string[]): Promise<void> {
  const before = await focused(page);
  for (const key of keys) await page.keyboard.press(key);
  const dialog = page.getByRole('dialog').first();
  await dialog.waitFor();
  await waitUntil('the focus is in the dialog', () =>
    dialog.evaluate((element) => element.contains(document.activeElement)),
  );
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await waitUntil(`the focus is back at ${before}`, async () => (await focused(page)) === before);
}

test('the focus returns to where it was, by the keyboard', async () => {
  const { page } = await (await begin()).logIn(alice);
  await row(page, 'notes.txt').click();
  await openAndClose(page, 'Enter');
  await openAndClose(page, '?');
  await page.getByRole('button', { name: 'New folder' }).focus();
  await openAndClose(page, 'Enter');
  await page.getByRole('button', { name: /^Notifications/ }).focus();
  await openAndClose(page, 'Enter');
});

test('the focus returns to where it was, on a phone', async () => {
  const { page } = await (await begin(PHONE)).logIn(alice);
  await row(page, 'notes.txt').waitFor();
  await page.getByRole('button', { name: 'More' }).last().focus();
  await openAndClose(page, 'Enter');
  await page.getByRole('button', { name: /^Notifications/ }).focus();
  await openAndClose(page, 'Enter');
});

test('a visit notices when the focus is lost with a dialog', async () => {
  const visit = await Visit.begin(browser, holdall);
  const { page } = await visit.logIn(alice);
  await row(page, 'notes.txt').waitFor();
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<div role="dialog" aria-modal="true"><h2>Lost</h2></div>');
    document.querySelector('[aria-modal]')?.remove();
    (document.activeElement as HTMLElement | null)?.blur();
  });
  const told = () => assert.throws(() => visit.checkClean(), /when this dialog was closed: Lost/);
  await waitUntil('the visit has the fault', () => {
    try {
      told();
      return true;
    } catch {
      return false;
    }
  });
});
