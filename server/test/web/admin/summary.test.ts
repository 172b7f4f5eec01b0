// tier: full
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHoldall } from '../../support/app/holdall.ts';
import { applicationOf } from '../../support/app/person.ts';
import { setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const { view, chief, ann } = await setAdminScene(holdall);
const browser = await startBrowser({ isShared: false });

for (const colorScheme of ['light', 'dark'] as const) {
  test(`an admin sees the totals and the usage of the service, ${colorScheme}`, async () => {
    const visit = await Visit.begin(browser, holdall, { colorScheme });
    const { page } = visit;
    await visit.logIn(chief);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('heading', { name: 'Requests today' }).waitFor();
    const { totalUsers } = await view.summary();
    await page.getByRole('main').getByText(String(totalUsers), { exact: true }).first().waitFor();
    await page.getByRole('img', { name: /requests today; \d+ in the busiest hour, from \d\d:00/ }).waitFor();
    await page.getByRole('img', { name: /active users today/ }).waitFor();
    await page.getByRole('button', { name: 'Active users: table' }).click();
    const table = page.getByRole('table', { name: 'Active users' });
    await table.getByRole('row').nth(7).waitFor();
    assert.equal(await table.getByRole('row').count(), 8);
    await table.getByRole('cell', { name: ann.username }).waitFor();
    await visit.checkAccessible();
    await page.getByRole('link', { name: 'Files', exact: true }).first().click();
    await page.getByRole('table', { name: 'Files' }).waitFor();
    visit.checkClean();
  });
}

test('an admin sees the last backup and the maintenance that failed', async () => {
  await holdall.app.jobRuns.record('backup', async () => {});
  const failing = holdall.app.jobRuns.record('sweep the store', () => Promise.reject(new Error('disk gone')));
  await assert.rejects(failing, /disk gone/);
  const visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  await visit.logIn(chief);
  await visit.page.getByRole('link', { name: 'Administration' }).click();
  const card = visit.page.getByRole('region', { name: 'Backups and maintenance' });
  await card.getByText(/^\d+ seconds? ago$/).waitFor();
  await card.getByText('1 job failed').waitFor();
  await card.getByText('sweep the store: disk gone').waitFor();
  assert.equal(await card.getByText('Never', { exact: true }).count(), 2);
  await visit.checkAccessible();
  visit.checkClean();
});

test('an admin sees how far the content of files was read', async () => {
  const visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  const { page } = visit;
  let isOn = true;
  await page.route('**/api/admin/content-search', (route) => {
    const amounts = { waiting: 1_234, indexed: 56_789, withoutText: 78, givenUp: 9, textBytes: 9_000_000 };
    const data = {
      isOn,
      isPaused: isOn,
      ...amounts,
      lastError: 'no memory',
      lastErrorAt: '2026-03-04T05:06:07Z',
    };
    return route.fulfill({ json: { code: 0, msg: 'success', data } });
  });
  await visit.logIn(chief, '/admin');
  const card = page.getByRole('region', { name: 'Search in content', exact: true });
  for (const text of ['On', '1,234', '56,789 (9 MB of text)', '78', '9'])
    await card.getByText(text, { exact: true }).waitFor();
  await card.getByText('no memory').waitFor();
  await card.getByText(/^4 Mar 2026/).waitFor();
  await card.getByText('Paused: the disk is almost full.').waitFor();
  await visit.checkAccessible();
  isOn = false;
  await page.reload();
  await card.getByText('Off', { exact: true }).waitFor();
  assert.equal(await card.getByText('1,234', { exact: true }).count(), 0);
  visit.checkClean();
});

test('the quick transfer limit is set to the byte, in dark mode', async () => {
  const visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(chief, '/admin');
  await page.getByRole('button', { name: 'Change limit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Limit', { exact: true }).fill('1.5');
  await dialog.getByLabel('Unit for Limit').selectOption('GB');
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('0 bytes of 1.5 GB used').waitFor();
  assert.equal((await view.summary()).offlineTransferStorageLimitBytes, 1_500_000_000);
  visit.checkClean();
});

test('a new invite code admits a user, and the previous one does not', async () => {
  const visit = await Visit.begin(browser, holdall, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visit;
  await visit.logIn(chief, '/admin');
  const before = await holdall.inviteCode();
  await page.getByText(before, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'New random code' }).click();
  await visit.checkAccessible();
  await page.getByRole('dialog').getByRole('button', { name: 'New random code' }).click();
  await page.getByText(before, { exact: true }).waitFor({ state: 'detached' });
  const code = await holdall.inviteCode();
  assert.notEqual(code, before);
  await page.getByText(code, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied').waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.equal(link, `${holdall.url}/register?code=${code}`);

  const guest = await Visit.begin(browser, holdall);
  const application = applicationOf('invited', code);
  await guest.page.goto(link);
  await guest.page.getByLabel('Username').fill(application.username);
  await guest.page.getByLabel('E-mail').fill(application.email);
  await guest.page.getByLabel('Phone number').fill(application.phoneNumber);
  await guest.page.getByLabel('Password', { exact: true }).fill(application.password);
  await guest.page.getByRole('button', { name: 'Create account' }).click();
  await guest.page.getByRole('heading', { name: 'My files' }).waitFor();

  await page.getByRole('button', { name: 'Choose code…' }).click();
  await page.getByRole('dialog').getByLabel('Invite code').fill('come in & welcome');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('come in & welcome', { exact: true }).waitFor();
  assert.equal(await holdall.inviteCode(), 'come in & welcome');
  visit.checkClean();
  guest.checkClean();
});
