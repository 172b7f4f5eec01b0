// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { countIn } from '../../support/migration/migration.ts';
import { setAdminScene } from '../../support/web/admin-scene.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const { view, chief, moderator, ann, report } = await setAdminScene(holdall);
const browser = await startBrowser();

test('an admin creates a policy and migrates everything to it, with audit entries', async () => {
  const visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await visit.logIn(chief, '/admin/policies');
  await page.getByRole('button', { name: 'New policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Second disk');
  await dialog.getByLabel('Prefix').fill('second');
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: 'Second disk' }).waitFor();
  const form = page.getByRole('region', { name: 'Migrations' });
  await form.getByLabel('From').selectOption('Local disk');
  await form.getByLabel('To').selectOption('Second disk');
  // Uses the keyboard, because the "saved" notification may cover the button and stays while the pointer is
  // over it.
  await form.getByRole('button', { name: 'Start migration' }).press('Enter');
  const migration = page.getByRole('article', { name: 'Local disk → Second disk' });
  await migration.getByText('Completed').waitFor();
  await migration.getByText(/^(\d+) of \1 objects, .* · 100 %$/).waitFor();
  await visit.checkAccessible();
  const source = (await holdall.app.policies.getDefault()).id;
  assert.equal(await countIn(holdall, source), 0);
  assert.equal(String(await ann.download(report)).length, 920_000);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('button', { name: 'Migration created' }).click();
  await page.getByRole('dialog').getByText('"sourcePolicyId"').waitFor();
  visit.checkClean();
});

test('a policy is changed, enabled and disabled; the default one stays enabled', inFull, async () => {
  const visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  const { page } = visit;
  await visit.logIn(moderator, '/admin/policies');
  const standard = page.getByRole('region', { name: 'Local disk' });
  assert.equal(await standard.getByRole('switch', { name: 'Enabled' }).isDisabled(), true);
  const archive = page.getByRole('region', { name: 'Cold archive' });
  await archive.getByText('Disabled').waitFor();
  await archive.getByRole('switch', { name: 'Enabled' }).press('Space');
  await archive.getByText('Disabled').waitFor({ state: 'detached' });
  await archive.getByRole('button', { name: 'Edit Cold archive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Deep freeze');
  await dialog.getByLabel('Policy size limit', { exact: true }).fill('5');
  await dialog.getByLabel('Unit for Policy size limit').selectOption('GB');
  await dialog.getByRole('switch', { name: 'Signed download addresses' }).press('Space');
  assert.equal(
    await dialog.getByRole('switch', { name: 'Downloads through the server' }).isDisabled(),
    true,
    'one way to download stays',
  );
  await visit.checkAccessible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: 'Deep freeze' }).getByText('Objects up to 5 GB').waitFor();
  visit.checkClean();
});

test('an S3 policy asks for its settings, and invalid ones are reported', inFull, async () => {
  const visit = await Visit.begin(browser, holdall, PHONE);
  const { page } = visit;
  await visit.logIn(chief, '/admin/policies');
  await page.getByRole('button', { name: 'New policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Bucket');
  await dialog.getByRole('radio', { name: 'S3-compatible store' }).check();
  const create = dialog.getByRole('button', { name: 'Create' });
  assert.equal(await create.isDisabled(), true, 'there is no bucket yet');
  await dialog.getByLabel('Bucket').fill('cold');
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('http://169.254.169.254');
  await visit.checkAccessible();
  await create.click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByRole('textbox', { name: 'Endpoint' }).fill('https://s3.example.org');
  await create.click();
  await page.getByRole('region', { name: 'Bucket' }).getByText('Direct uploads').waitFor();
  visit.checkClean();
});

test(
  'a share and a folder link are deleted, and a file is recycled, with audit entries',
  inFull,
  async () => {
    const visit = await Visit.begin(browser, holdall);
    const { page } = visit;
    await visit.logIn(moderator, `/admin/shares?userQuery=${ann.username}&passwordProtected=true`);
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: 'Actions for Report' }).click();
    await page.getByRole('menuitem', { name: 'Delete share' }).click();
    await visit.checkAccessible();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete share' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    assert.equal((await view.shares({ passwordProtected: true })).total, 0);

    await page.getByRole('link', { name: 'Folder links', exact: true }).click();
    await page.getByText('Upload', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Scans' }).click();
    await page.getByRole('menuitem', { name: 'Delete link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete link' }).click();
    await page.getByRole('heading', { name: 'No folder links' }).waitFor();

    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('searchbox', { name: 'File name' }).fill(report.filename);
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('button', { name: `Actions for ${report.filename}` }).click();
    await page.getByRole('menuitem', { name: 'Move to bin' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Move to bin' }).click();
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    assert.ok((await ann.bin()).items.some((entry) => entry.filename === report.filename));

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Action').selectOption('File moved to bin');
    await page.getByText('1–1 of 1').waitFor();
    await page.getByRole('rowheader', { name: 'File moved to bin' }).waitFor();
    await page.getByLabel('Action').selectOption('Share deleted');
    await page.getByRole('rowheader', { name: 'Share deleted' }).waitFor();
    await page.getByLabel('Action').selectOption('Folder link deleted');
    await page.getByRole('rowheader', { name: 'Folder link deleted' }).waitFor();
    visit.checkClean();
  },
);
