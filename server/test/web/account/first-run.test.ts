// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { Person } from '../../support/app/person.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall({ env: { HOLDALL_ADMIN_PASSWORD: '' } });
const browser = await startBrowser();

/** Runs in the browser. */
const isInView = (element: Element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
};

test('the first administrator is asked to replace the generated password', async () => {
  const generated = holdall.app.firstStart?.generated;
  assert.ok(generated, 'the first start generated a password');
  const admin = await new Person('admin', holdall.url).logIn(generated.password);
  const visit = await Visit.begin(browser, holdall, { ...PHONE, colorScheme: 'dark' });
  const { page } = await visit.logIn(admin);
  const notice = page.getByText('still using the first password');
  await notice.waitFor();
  await visit.checkAccessible();
  await page.getByRole('link', { name: 'Choose password' }).click();
  const form = page.getByRole('heading', { name: 'Password', exact: true });
  // It leads to the form, which is far down on the page.
  await waitFor(
    () => form.evaluate(isInView),
    (isSeen) => isSeen,
    'the form',
  );
  await page.getByLabel('Current password').fill(generated.password);
  await page.getByLabel('New password', { exact: true }).fill('one of my own');
  await page.getByLabel('Confirm new password').fill('one of my own');
  await page.getByRole('button', { name: 'Change password' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.goto('/drive');
  await page.getByRole('row').first().waitFor();
  assert.equal(await notice.count(), 0);
  visit.checkClean();
});
