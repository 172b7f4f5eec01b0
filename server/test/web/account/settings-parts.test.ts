// tier: default
// runs on: sqlite
// needs: browser
// The settings have four parts with addresses of their own.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const PARTS = ['Profile', 'Security', 'Devices', 'Apps'] as const;

const { holdall, begin } = await startVisits();

describe('the settings', () => {
  test('have a part for each address, which is at most 720 pixels wide', async () => {
    const visit = await begin();
    const { page } = await visit.logIn(await holdall.register('ann'), '/drive');
    await page.getByRole('button', { name: 'ann' }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    const parts = page.getByRole('navigation', { name: 'Settings' });
    for (const name of PARTS) {
      await parts.getByRole('link', { name }).click();
      await page.waitForURL(name === 'Profile' ? '**/profile' : `**/profile/${name.toLowerCase()}`);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      const sections = page.getByRole('main').locator('section');
      await sections.first().waitFor();
      assert.equal(await parts.locator('[aria-current=page]').textContent(), name);
      const widths = await sections.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth));
      assert.ok(Math.max(...widths) <= 720, `${name}: ${widths.join()}`);
      await visit.checkAccessible();
    }
    await page.goto('/profile/nowhere');
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    assert.equal(await page.getByRole('main').locator('section').count(), 0);
  });

  test('are chosen from a list on a phone', async () => {
    const visit = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = await visit.logIn(await holdall.register('bob'), '/profile');
    const choice = page.getByRole('navigation', { name: 'Settings' }).getByRole('combobox');
    for (const name of PARTS) {
      await choice.selectOption(name);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByRole('main').locator('section').first().waitFor();
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, name);
      await visit.checkAccessible();
    }
  });

  test('show the section of an address from before there were parts', async () => {
    const { page } = await (await begin()).logIn(await holdall.register('cleo'), '/profile');
    for (const [fragment, part, heading] of [
      ['password', 'security', 'Password'],
      ['security', 'security', 'Authenticator app'],
      ['notifications', 'devices', 'Notifications'],
      ['app-passwords', 'apps', 'App passwords'],
    ] as const) {
      await page.goto('/drive');
      await page.goto(`/profile#${fragment}`);
      await page.waitForURL(`**/profile/${part}#${fragment}`);
      await page.getByRole('heading', { name: heading, level: 2, exact: true }).waitFor();
    }
  });

  test('ask before they discard what is not saved', async () => {
    const visit = await begin();
    const { page } = await visit.logIn(await holdall.register('dora'), '/profile');
    const parts = page.getByRole('navigation', { name: 'Settings' });
    const bio = page.getByLabel('Bio');
    await bio.fill('Sails.');
    await parts.getByRole('link', { name: 'Devices' }).click();
    const question = page.getByRole('dialog', { name: 'Discard your changes?' });
    await visit.checkAccessible();
    await question.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    assert.equal(await bio.inputValue(), 'Sails.');
    await page.getByRole('link', { name: 'Photos' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.waitForURL('**/photos');
    await page.goto('/profile/security');
    await page.getByLabel('Current password').fill(PASSWORD);
    await parts.getByRole('link', { name: 'Apps' }).click();
    await question.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Apps', level: 1 }).waitFor();
    // Nothing was typed here.
    await parts.getByRole('link', { name: 'Profile' }).click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    // A logout does not ask: no page could be shown.
    await bio.fill('Rows.');
    await page.getByRole('button', { name: 'dora' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL('**/login**');
  });
});

test('all other sessions are ended at once, after a question', async () => {
  const gus = await holdall.register('gus');
  const [here, there] = [await begin(), await begin(PHONE)];
  for (const visit of [here, there]) {
    await visit.page.goto('/login');
    await visit.page.getByLabel('Username').fill(gus.username);
    await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await visit.page.keyboard.press('Enter');
    await visit.page.waitForURL('**/drive**');
  }
  const { page } = here;
  await page.goto('/profile/devices');
  const end = page.getByRole('button', { name: 'Log out everywhere else' });
  await end.click();
  const question = page.getByRole('dialog', { name: 'Log out everywhere else' });
  await here.checkAccessible();
  await question.getByRole('button', { name: 'Log out', exact: true }).click();
  await page.getByText("You're logged out everywhere else.").waitFor();
  await end.waitFor({ state: 'detached' });
  await there.page.waitForURL('**/login**');
  await gus.refused(401, 1001, 'GET', '/api/user/profile');
  await page.reload();
  await page.getByText('This device', { exact: true }).waitFor();
});

test('the state of the account is shown as such', inFull, async () => {
  const { page } = await (await begin()).logIn(await holdall.register('hal'), '/profile/security');
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByText('Off', { exact: true }).waitFor();
  await app.getByText('You log in with your password only.').waitFor();
  assert.equal(await page.getByRole('alert').count(), 0);
});
