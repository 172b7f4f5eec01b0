// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { loseFile, setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

const PARTS = [
  '',
  'users',
  'invites',
  'drives',
  'files',
  'shares',
  'folder-links',
  'tasks',
  'blobs',
  'policies',
  'settings',
  'audits',
];
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true };

const holdall = await startHoldall();
const { chief, moderator, ann } = await setAdminScene(holdall);
await loseFile(holdall, ann);
const browser = await startBrowser();

for (const [name, options] of [
  ['light', {}],
  ['dark on a phone', { colorScheme: 'dark', ...PHONE }],
  // In Chinese only the lengths of the texts differ, so accessibility is not checked again.
  ['in Chinese on a phone', { locale: 'zh-CN', ...PHONE }],
] as const) {
  test(
    `every part of the administration is accessible, ${name}`,
    name === 'light' ? {} : inFull,
    async () => {
      const visit = await Visit.begin(browser, holdall, {
        colorScheme: 'light',
        ...options,
        locale: 'en-GB',
      });
      const { page } = visit;
      await visit.logIn(chief);
      if ('locale' in options) await page.evaluate(() => localStorage.setItem('holdall.language', 'zh-CN'));
      for (const part of PARTS) {
        await page.goto(`/admin/${part}`);
        // Waits for the content, which every part has.
        await page.locator('main :is(table, ul, article, section):not(nav *)').first().waitFor();
        if (!('locale' in options)) await visit.checkAccessible();
        const overflow = await page.evaluate('document.body.scrollWidth - document.body.clientWidth');
        assert.equal(overflow, 0, `/admin/${part} is wider than the screen`);
      }
      visit.checkClean();
    },
  );
}

test('a user who is not an admin is told so in a friendly way', inFull, async () => {
  const visit = await Visit.begin(browser, holdall);
  await visit.logIn(ann, '/admin/users');
  await visit.page.getByRole('heading', { name: 'Administrators only' }).waitFor();
  assert.equal(await visit.page.getByRole('link', { name: 'Administration' }).count(), 0);
  await visit.checkAccessible();
  visit.checkClean();
});

test('the parts of the administration are listed in groups on a laptop, and chosen on a phone', async () => {
  const visit = await Visit.begin(browser, holdall, { viewport: { width: 1280, height: 800 } });
  const { page } = visit;
  await visit.logIn(chief, '/admin');
  const parts = page.getByRole('navigation', { name: 'Administration' });
  await parts.getByRole('list', { name: 'People' }).getByRole('link', { name: 'Users' }).click();
  await page.waitForURL('**/admin/users');
  const users = parts.locator('[aria-current]');
  assert.equal(await users.textContent(), 'Users');
  assert.equal(await parts.getByRole('link').count(), PARTS.length);
  await page.setViewportSize({ width: 390, height: 740 });
  await parts.getByRole('combobox').selectOption({ label: 'Audit log' });
  await page.waitForURL('**/admin/audits');
  await page.getByRole('searchbox').or(page.getByRole('main').getByRole('combobox')).first().waitFor();
  await visit.checkAccessible();
  visit.checkClean();
});

describe('a list', () => {
  test('keeps its filters and its page in the address', inFull, async () => {
    for (let index = 0; index < 21; index += 1) await moderator.upload(`/numbered ${index}`, 'x');
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(moderator, '/admin/files');
    await page.getByRole('searchbox', { name: 'File name' }).fill('numbered');
    await page.getByText('1–20 of 21').waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('21–21 of 21').waitFor();
    await page.getByRole('rowheader', { name: 'numbered 0' }).waitFor();
    assert.match(page.url(), /\?(?=.*query=numbered)(?=.*page=2)/);
    await page.reload();
    await page.getByText('21–21 of 21').waitFor();
    assert.equal(await page.getByRole('searchbox', { name: 'File name' }).inputValue(), 'numbered');
    await page.goBack();
    await page.getByText('1–20 of 21').waitFor();
    await page.goBack();
    await page.getByRole('searchbox', { name: 'File name' }).and(page.locator('[value=""]')).waitFor();
    await page.goto('/admin/files?query=numbered&page=9');
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText('1–20 of 21').waitFor();
    await page.getByRole('searchbox', { name: 'File name' }).fill('there is no such file');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByText('No match for these filters.').waitFor();
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('rowheader', { name: 'numbered 20' }).waitFor();
    visit.checkClean();
  });

  test('that is empty does not blame filters if none are set', inFull, async () => {
    const empty = await startHoldall();
    const visit = await Visit.begin(browser, empty);
    await visit.logIn(await empty.admin(), '/admin/shares');
    await visit.page.getByRole('heading', { name: 'No shares' }).waitFor();
    assert.equal(await visit.page.getByText('No match for these filters.').count(), 0);
    await visit.checkAccessible();
    visit.checkClean();
  });

  test('can be used with only the keyboard', inFull, async () => {
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(chief, '/admin/users');
    await page.getByRole('searchbox', { name: 'Find user' }).focus();
    await page.keyboard.type(ann.username);
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByLabel('Role', { exact: true }).and(page.locator(':focus')).waitFor();
    // Tab moves past the button that clears the filters to the name and the actions.
    for (const name of ['Clear filters', ann.username, `Actions for ${ann.username}`]) {
      await page.keyboard.press('Tab');
      await page.getByRole('button', { name, exact: true }).and(page.locator(':focus')).waitFor();
    }
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Change role' }).and(page.locator(':focus')).waitFor();
    await visit.checkAccessible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: `Limits of ${ann.username}` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    visit.checkClean();
  });

  test('describes the faults of an object in words', inFull, async () => {
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(moderator, `/admin/blobs?userQuery=${ann.username}`);
    const row = page.getByRole('row').filter({ hasText: 'Missing' });
    await row.getByRole('button').click();
    const details = page.getByRole('dialog');
    await details.getByText("The object isn't in its store").waitFor();
    await visit.checkAccessible();
    await details.getByRole('button', { name: 'Close' }).click();
    await page.goto('/admin/tasks?status=FAILED');
    await page.getByRole('button', { name: /^Archive #/ }).click();
    await page.getByRole('dialog').getByText('"phase": "failed"').waitFor();
    await visit.checkAccessible();
    visit.checkClean();
  });
});
