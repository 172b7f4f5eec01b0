// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import type { ShareLink, ShareSummary } from '../../../src/app/contract.ts';
import { PASSWORD } from '../../support/app/person.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { startVisits } from '../../support/web/visits.ts';

const PHONE = { viewport: { width: 360, height: 740 } };

const { holdall, begin } = await startVisits({ browser: { isShared: false } });
/** A user of that name with a session for the test's own calls, which a login in the page does not end. */
const register = async (name: string) => (await holdall.register(name)).logIn(PASSWORD, 'mobile');
const alice = await register('alice');
const bytes = randomBytes(300_000);
const file = await alice.upload('/Documents/Plans & more.bin', bytes);

const share = (options: object = {}) =>
  alice.ask<ShareSummary>('POST', '/api/v2/shares', { body: { fileId: file.id, ...options } });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password', { exact: true }).fill(password);
  await button(page, 'Open').click();
}

/** The file that the browser saves after a click on "Download". */
async function download(page: Page): Promise<{ url: string; name: string; content: Buffer }> {
  const [begun] = await Promise.all([page.waitForEvent('download'), button(page, 'Download').click()]);
  return {
    url: begun.url(),
    name: begun.suggestedFilename(),
    content: await readFile(await begun.path()),
  };
}

describe('a shared file', () => {
  test('shows its visitors the direction marks in its name', inFull, async () => {
    const turned = await alice.upload('/Documents/invoice\u202efdp.exe', 'no invoice');
    const { token } = await share({ fileId: turned.id });
    const { page } = await begin();
    await page.goto(`${holdall.url}/s/${token}`);
    await heading(page, 'invoice⟨RLO⟩fdp.exe').waitFor();
    await untilTitle(page, 'invoice⟨RLO⟩fdp.exe · Holdall');
    assert.doesNotMatch(await page.evaluate(() => document.body.innerText), /\u202e/);
  });

  test('is shared with a password and a limit, downloaded until it is used up, and revoked', async () => {
    const owner = await begin();
    await owner.logIn(alice, `/shared?file=${file.id}`);
    const dialog = owner.page.getByRole('dialog');
    await dialog.getByLabel('Password', { exact: true }).fill('open sesame');
    await dialog.getByLabel('Download limit').fill('2');
    await dialog.getByLabel('Expires').selectOption('After 7 days');
    await owner.checkAccessible();
    await button(owner.page, 'Create link').click();
    await dialog.getByText('The link is ready.').waitFor();
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    assert.match(link, new RegExp(`^${holdall.url}/s/[\\w-]{22}$`));
    await dialog.getByRole('img', { name: 'QR code of the link to Plans & more.bin' }).waitFor();
    await owner.checkAccessible();

    const stranger = await begin();
    await stranger.page.goto(link);
    await heading(stranger.page, 'A password protects this link').waitFor();
    assert.equal(await stranger.page.title(), 'A password protects this link · Holdall');
    const before = await stranger.page.locator('body').innerText();
    for (const secret of ['Plans', alice.username, 'downloads left'])
      assert.ok(!before.includes(secret), `${secret} in ${before}`);
    assert.equal(await button(stranger.page, 'Download').count(), 0);
    await enterPassword(stranger.page, 'open says me');
    await stranger.page.getByText('Wrong password.').waitFor();
    await stranger.checkAccessible();
    await enterPassword(stranger.page, 'open sesame');
    await heading(stranger.page, 'Plans & more.bin').waitFor();
    await stranger.page.getByText(`${alice.username} shared this with you`).waitFor();
    await stranger.page.getByText(/300 kB.*2 downloads left/).waitFor();
    const had = await download(stranger.page);
    assert.ok(had.content.equals(bytes));
    assert.equal(had.name, 'Plans & more.bin');
    assert.doesNotMatch(had.url, /sesame|password/);
    await stranger.page.getByText(/1 download left/).waitFor();

    const bob = await register('bob');
    const importer = await begin();
    await importer.page.goto(link);
    await enterPassword(importer.page, 'open sesame');
    await importer.page.getByRole('link', { name: 'Log in to save it' }).click();
    await importer.page.getByLabel('Username').fill(bob.username);
    await importer.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(importer.page, 'Log in').click();
    await importer.page.waitForURL(link);
    await button(importer.page, 'Save to my drive').click();
    await importer.page.getByRole('dialog').getByRole('button', { name: 'Save here' }).click();
    await importer.page.getByText('Saved to your drive').waitFor();
    await importer.page.getByText('That was the last download of this link.').waitFor();
    await importer.checkAccessible();
    await importer.page.getByRole('link', { name: 'Show in my files' }).click();
    await importer.page.waitForURL(/\/drive\/?\?select=\d+$/);
    const [saved] = (await bob.list()).items.filter((entry) => !entry.directory);
    assert.ok(saved !== undefined && (await bob.download(saved)).equals(bytes));

    await stranger.page.reload();
    await heading(stranger.page, 'This link has reached its limit').waitFor();
    await stranger.page.getByText('Ask the sender for a new one.', { exact: false }).waitFor();
    await stranger.checkAccessible();

    await owner.page.goto('/shared');
    const row = owner.page.getByRole('listitem').filter({ hasText: 'Limit reached' });
    await row.getByText('2 of 2 downloads').waitFor();
    await row.getByRole('button', { name: 'More about Plans & more.bin' }).click();
    await owner.page.getByRole('menuitem', { name: 'Stop sharing' }).click();
    await owner.checkAccessible();
    await button(owner.page, 'Stop sharing').click();
    await row.waitFor({ state: 'detached' });
    await stranger.page.reload();
    await heading(stranger.page, "This link doesn't work").waitFor();
    await stranger.checkAccessible();
  });

  test('is downloaded on a phone in dark mode, by a link without limits', inFull, async () => {
    const { token } = await share({ shareName: 'A name that is much longer than a phone is wide.bin' });
    const visit = await begin({ ...PHONE, colorScheme: 'dark' });
    const { page } = visit;
    await page.goto(`/s/${token}`);
    await heading(page, /^A name that/).waitFor();
    await visit.checkAccessible();
    assert.ok((await download(page)).content.equals(bytes));
    await page.getByText('The download has started.').waitFor();
    const width = await page.evaluate('document.documentElement.scrollWidth');
    assert.equal(width, PHONE.viewport.width, 'nothing reaches over the edge');
  });

  test('whose password was guessed too often says when to try again', inFull, async () => {
    const { token } = await share({ password: 'sesame' });
    const guess = () =>
      holdall.anonymous.fetch('POST', `/api/v2/shares/${token}/verify-password`, { body: { password: 'x' } });
    for (let guesses = 0; guesses < 10; guesses += 1) await guess();
    const visit = await begin({ colorScheme: 'dark' });
    await visit.page.goto(`/s/${token}`);
    await enterPassword(visit.page, 'sesame');
    await visit.page.getByText(/^Too many wrong passwords\. Try again in \d+ seconds?\.$/).waitFor();
    await visit.checkAccessible();
    holdall.clock.advance(61_000);
    await enterPassword(visit.page, 'sesame');
    await button(visit.page, 'Download').waitFor();
  });

  test('whose password was changed asks for the new one, and says why', inFull, async () => {
    const { id, token } = await share({ password: 'sesame' });
    const visitor = await register('carla');
    const { page } = await begin(PHONE);
    await page.goto(`/s/${token}`);
    await enterPassword(page, 'sesame');
    await button(page, 'Download').waitFor();
    await alice.ask('PATCH', `/api/v2/shares/${id}`, { body: { password: 'poppy' } });
    // The page reads the share again after a login.
    await page.getByRole('link', { name: 'Log in to save it' }).click();
    await page.getByLabel('Username').fill(visitor.username);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await button(page, 'Log in').click();
    await page.getByText('The password of this link has changed. Enter the new one to continue.').waitFor();
    await enterPassword(page, 'poppy');
    await button(page, 'Download').waitFor();
  });

  test('that may only be imported is not offered for download, and vice versa', inFull, async () => {
    const visit = await begin();
    const { page } = visit;
    await page.goto(`/s/${(await share({ allowDownload: false })).token}`);
    await page.getByText('allows saving to a drive here, but not downloading').waitFor();
    assert.equal(await button(page, 'Download').count(), 0);
    await page.goto(`/s/${(await share({ allowImport: false })).token}`);
    await page.getByText('allows downloading, but not saving to a drive here').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Log in to save it' }).count(), 0);
  });

  test('that was deleted meanwhile becomes a notice when it is downloaded', inFull, async () => {
    const doomed = await alice.upload('/doomed.bin', bytes);
    const { token } = await share({ fileId: doomed.id });
    const visit = await begin();
    await visit.page.goto(`/s/${token}`);
    await button(visit.page, 'Download').waitFor();
    await alice.recycle(doomed);
    await button(visit.page, 'Download').click();
    await heading(visit.page, "This link doesn't work").waitFor();
  });

  test('whose share has expired says so, and says whom to ask', inFull, async () => {
    const { token } = await share({ expiresAt: new Date(holdall.clock.now() + 60_000).toISOString() });
    holdall.clock.advance(60_000);
    const visit = await begin();
    await visit.page.goto(`/s/${token}`);
    await heading(visit.page, 'This link has expired').waitFor();
    await visit.page.getByText(`Ask ${alice.username} for a new one.`).waitFor();
  });

  test('that is used up after its page was loaded says so instead of a broken download', inFull, async () => {
    const { token } = await share({ maxDownloads: 1 });
    const visit = await begin();
    await visit.page.goto(`/s/${token}`);
    await visit.page.getByText('1 download left').waitFor();
    await (await holdall.anonymous.fetch('GET', `/api/v2/shares/${token}?download`)).arrayBuffer();
    await button(visit.page, 'Download').click();
    await heading(visit.page, 'This link has reached its limit').waitFor();
  });
});

describe('a shared folder', () => {
  test('is copied with its content by a logged-in visitor with the link', inFull, async () => {
    const folder = await alice.mkdir('/Pictures/Holidays');
    await alice.upload('/Pictures/Holidays/day 1/a.txt', 'one');
    await alice.upload('/Pictures/Holidays/b.txt', 'two');
    const owner = await begin({ ...PHONE, colorScheme: 'dark' });
    await owner.logIn(alice, `/shared?file=${folder.id}`);
    await button(owner.page, 'For people with an account').click();
    await button(owner.page, 'Create copy link').click();
    const link = await owner.page.getByLabel('Link', { exact: true }).inputValue();
    await owner.checkAccessible();

    const carol = await register('carol');
    const visit = await begin(PHONE);
    await visit.logIn(carol, link);
    await heading(visit.page, 'Holidays').waitFor();
    await visit.page.getByText('Folder · 2 files').waitFor();
    await visit.checkAccessible();
    await button(visit.page, 'Save to my drive').click();
    await visit.page.getByRole('dialog').getByRole('button', { name: 'Save here' }).click();
    await visit.page.getByText('Saved to your drive').waitFor();
    const tree = (await carol.tree()).map((entry) => entry.path);
    assert.ok(tree.includes('/Holidays/day 1/a.txt') && tree.includes('/Holidays/b.txt'), `${tree}`);
  });

  test('has the same page at the address that the API returns', async () => {
    const made = await alice.ask<ShareLink>('POST', `/api/files/${file.id}/share-links`);
    const visit = await begin({ colorScheme: 'dark' });
    await visit.page.goto(made.url);
    await visit.page.waitForURL(`**/l/${made.token}`);
    await heading(visit.page, 'Plans & more.bin').waitFor();
    await visit.checkAccessible();
    await visit.page.goto(`/l/${'x'.repeat(22)}`);
    await heading(visit.page, "This link doesn't work").waitFor();
  });
});
