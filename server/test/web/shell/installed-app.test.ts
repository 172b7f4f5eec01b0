// tier: default
// runs on: sqlite
// needs: browser
// The client as an app on a phone or computer: its icons, its start without a connection, new versions, and what
// other apps share with it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit, type VisitOptions } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser({ isShared: false });
const alice = await holdall.register('alice');
await alice.upload('/letter.txt', 'Dear all', 'text/plain');
let visit: Visit;
afterEach(() => visit.checkClean());

/** A page whose service worker is active. */
async function install(options: VisitOptions = {}): Promise<Page> {
  visit = await Visit.begin(browser, holdall, { serviceWorkers: 'allow', ...options });
  // A service worker outlasts a visit.
  void visit.context;
  await visit.logIn(alice);
  const { page } = visit;
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  // The service worker controls pages from the next load on.
  await page.reload();
  await waitFor(
    () => page.evaluate('navigator.serviceWorker.controller !== null'),
    Boolean,
    'the service worker',
  );
  return page;
}

test('the manifest of the installed app names icons that exist', inFull, async () => {
  visit = await Visit.begin(browser, holdall);
  const { page } = visit;
  await page.goto('/login');
  const address = await page.locator('link[rel=manifest]').getAttribute('href');
  const manifest = await (await fetch(new URL(address ?? '', holdall.url))).json();
  const apple = await page.locator('link[rel=apple-touch-icon]').getAttribute('href');
  for (const src of [apple, ...manifest.icons.map((icon: { src: string }) => icon.src)]) {
    const response = await fetch(new URL(src, holdall.url));
    assert.equal(response.status, 200, src);
    assert.match(response.headers.get('content-type') ?? '', /^image\/(?:png|svg)/, src);
    await response.arrayBuffer();
  }
});

test('the installed app opens offline, and loads the folder when the connection is back', async () => {
  const page = await install();
  await page.getByRole('row', { name: 'letter.txt' }).waitFor();
  await visit.goOffline();
  await page.goto('/drive');
  await page.getByRole('navigation').first().waitFor();
  assert.equal(await page.getByRole('row', { name: 'letter.txt' }).count(), 0);
  await visit.checkAccessible();
  await page.context().setOffline(false);
  await page.getByRole('row', { name: 'letter.txt' }).waitFor();
});

test('the installed app offers a new version, and reloads only when the user agrees', inFull, async () => {
  const page = await install();
  await page.evaluate('window.isOld = true');
  // Registers another service worker for the same pages, as the next version of the service would send it.
  await page.evaluate("navigator.serviceWorker.register('/service-worker.js?next').then(() => undefined)");
  await page.getByText('A new version of Holdall is ready.').waitFor();
  assert.equal(await page.evaluate('window.isOld'), true);
  await visit.checkAccessible();
  await page.getByRole('button', { name: 'Reload' }).click();
  await waitFor(() => page.evaluate('window.isOld === undefined').catch(() => false), Boolean, 'the reload');
  await page.getByRole('row', { name: 'letter.txt' }).waitFor();
});

/** A phone sends such a form when the user shares something with the installed app. */
const SHARE = `(() => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action: '/share-target', enctype: 'multipart/form-data' });
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', name: 'files', multiple: true });
  const files = new DataTransfer();
  files.items.add(new File(['one'], 'photo 1.txt', { type: 'text/plain' }));
  files.items.add(new File(['two'], 'Ä & b.txt', { type: 'text/plain' }));
  input.files = files.files;
  form.append(input);
  document.body.append(form);
  form.submit();
})()`;

/**
 * A website whose pages send the same form as soon as they are opened. Some hide where the form comes from.
 */
const website = createServer(({ url }, response) => {
  const script = SHARE.replace("'/share-target'", `'${holdall.url}/share-target'`);
  response.setHeader('referrer-policy', (url ?? '').slice(1));
  response.setHeader('content-type', 'text/html');
  response.end(`<title>Website</title><link rel="icon" href="data:,"><body><script>${script}</script>`);
});
website.listen(0, '127.0.0.1');
await once(website, 'listening');
after(() => website.close().closeAllConnections());
// Node's type has strings for sockets that are files.
const websiteOrigin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;

const countShared = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('holdall-shared')).keys()).length);

async function saveIn(page: Page, folder: string): Promise<void> {
  await page.getByRole('button', { name: 'Choose folder' }).click();
  await page.getByRole('dialog').getByRole('button', { name: folder }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save here' }).click();
}

async function untilSaved(folder: string): Promise<void> {
  await waitFor(
    async () => (await alice.tree()).map(({ path }) => path),
    (paths) => ['photo 1.txt', 'Ä & b.txt'].every((name) => paths.includes(`${folder}/${name}`)),
    'the shared files',
  );
}

test('the installed app saves what another app shares in a folder of the drive', async () => {
  const page = await install({ ...PHONE, colorScheme: 'dark' });
  await alice.mkdir('/From the phone');
  await page.evaluate(SHARE);
  await page.getByRole('heading', { name: 'Save 2 files to your drive' }).waitFor();
  await visit.checkAccessible();
  await saveIn(page, 'From the phone');
  await page.waitForURL('**/drive/From%20the%20phone');
  await untilSaved('/From the phone');
  // Waits for the deletion, because a page that is left deletes nothing more.
  await waitFor(
    () => page.evaluate(async () => (await (await caches.open('holdall-shared')).keys()).length),
    (count) => count === 0,
    'the end of the shared files',
  );
  await page.goto('/save-shared');
  await page.getByText('Nothing to save').waitFor();
});

test('a website cannot share files as another app can', inFull, async () => {
  const page = await install({ origins: [websiteOrigin] });
  await page.goto(`${websiteOrigin}/origin`);
  await page.getByText('A website tried to save files here and was blocked.').waitFor();
  assert.equal(await countShared(page), 0);
});

test(
  'files from a sender that hides its origin are marked, and not preselected to be saved',
  inFull,
  async () => {
    const page = await install({ origins: [websiteOrigin] });
    await alice.mkdir('/Chosen');
    await page.goto(`${websiteOrigin}/no-referrer`);
    await page.getByText('Another app or a website sent these files.').waitFor();
    await page.goto('/drive');
    await page.evaluate(SHARE.replace('photo 1.txt', 'mine.txt'));
    await page.getByRole('heading', { name: 'Save 2 files to your drive' }).waitFor();
    assert.equal(await page.getByRole('checkbox').count(), 4);
    assert.equal(await page.getByRole('checkbox', { name: 'photo 1.txt' }).isChecked(), false);
    await page.getByRole('checkbox', { name: 'Ä & b.txt' }).first().uncheck();
    await visit.checkAccessible();
    await saveIn(page, 'Chosen');
    await waitFor(
      async () => (await alice.tree()).map(({ path }) => path),
      (paths) => paths.includes('/Chosen/mine.txt'),
      'the file',
    );
    assert.deepEqual(
      (await alice.tree()).filter(({ path }) => path.startsWith('/Chosen/')).map(({ path }) => path),
      ['/Chosen/mine.txt'],
    );
    await page.goto('/save-shared');
    await page.getByRole('button', { name: 'Discard all' }).click();
    await page.waitForURL('**/drive**');
    assert.equal(await countShared(page), 0);
  },
);

test('at most 200 shared files wait to be saved', inFull, async () => {
  const page = await install();
  await page.evaluate(
    SHARE.replace(
      'input.files =',
      'while (files.items.length < 199) files.items.add(files.files[0]);input.files =',
    ),
  );
  await page.getByRole('heading', { name: 'Save 199 files to your drive' }).waitFor();
  await page.evaluate(SHARE);
  await page.getByText('Up to 200 files and 4 GB can wait here.').waitFor();
  assert.equal(await countShared(page), 199);
});

for (const [device, options] of [
  ['laptop', {}],
  ['phone', PHONE],
] as const) {
  test(
    `what another app shared can be saved again after its upload was cancelled on a ${device}`,
    inFull,
    async () => {
      const page = await install(options);
      const folder = `/Again on a ${device}`;
      await alice.mkdir(folder);
      const context = page.context();
      // The uploads never arrive.
      await context.route('**/api/**/upload*', () => undefined);
      await page.evaluate(SHARE);
      await page.getByRole('heading', { name: 'Save 2 files to your drive' }).waitFor();
      await saveIn(page, folder.slice(1));
      const tray = page.getByRole('region', { name: 'Uploads' });
      await tray.getByRole('button', { name: 'Cancel all' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel all' }).click();
      await tray.waitFor({ state: 'detached' });
      await context.unroute('**/api/**/upload*');
      await page.goto('/save-shared');
      await page.getByRole('heading', { name: 'Save 2 files to your drive' }).waitFor();
      await saveIn(page, folder.slice(1));
      await untilSaved(folder);
    },
  );
}

test(
  'what another app shared stays for a user whose session has ended, and for no one else',
  inFull,
  async () => {
    const page = await install();
    const read = () => page.evaluate(async () => (await (await caches.open('holdall-shared')).keys()).length);
    await page.evaluate(SHARE);
    const heading = page.getByRole('heading', { name: 'Save 2 files to your drive' });
    await heading.waitFor();
    // Ends the session of the page: neither login names a device, so the new one replaces the old one.
    await alice.logIn();
    await page.goto('/drive');
    await page.waitForURL('**/login**');
    assert.equal(await read(), 2);
    await visit.logIn(alice, '/save-shared');
    await heading.waitFor();
    await alice.logIn();
    await page.goto('/drive');
    await page.waitForURL('**/login**');
    await visit.logIn(await holdall.register('bob'), '/save-shared');
    await page.getByText('Nothing to save').waitFor();
    assert.equal(await read(), 0);
  },
);

test('an upload of what another app shared continues by itself after a reload', inFull, async () => {
  const page = await install(PHONE);
  await alice.mkdir('/Reloaded');
  const context = page.context();
  await context.route('**/api/**/upload*', () => undefined);
  await page.evaluate(SHARE);
  await page.getByRole('heading', { name: 'Save 2 files to your drive' }).waitFor();
  await saveIn(page, 'Reloaded');
  await page.getByRole('region', { name: 'Uploads' }).waitFor();
  await page.goto('/drive');
  await context.unroute('**/api/**/upload*');
  await page.reload();
  await untilSaved('/Reloaded');
});
