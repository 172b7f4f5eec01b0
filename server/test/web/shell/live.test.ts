// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { CountingProxy } from '../../support/network/counting-proxy.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const AWAY = 'Connection lost. Trying again…';

const holdall = await startHoldall();
const browser = await startBrowser();
let visit: Visit;
afterEach(() => visit.checkClean());

/** Opens the drive of a new user in a page that receives live updates. */
async function followDrive(options: Parameters<typeof Visit.begin>[2] = {}, url = holdall.url) {
  const person = await holdall.register('live');
  visit = await Visit.begin(browser, { ...holdall, url }, options);
  const streams = streamsOf(visit);
  await visit.logIn(person);
  await entry(visit.page, 'Documents').waitFor();
  await waitFor(
    () => streams.length,
    (count) => count > 0,
    'a stream',
  );
  return { person, page: visit.page, streams };
}

function entry(page: Page, name: string) {
  return page.getByRole('row', { name });
}

/** The event streams that pages of the visit have opened, each with the id from which it resumed. */
function streamsOf({ context }: Visit): (string | undefined)[] {
  const streams: (string | undefined)[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/v2/files/events')
      streams.push(request.headers()['last-event-id']);
  });
  return streams;
}

describe('a change by someone else', () => {
  test('appears on the open page, and disappears when it is undone, on a phone', async () => {
    const { person, page } = await followDrive(PHONE);
    const made = await person.mkdir('/Fresh');
    await entry(page, 'Fresh').waitFor();
    await person.rename(made, 'Renamed');
    await entry(page, 'Renamed').waitFor();
    await entry(page, 'Fresh').waitFor({ state: 'detached' });
    await person.recycle(made);
    await entry(page, 'Renamed').waitFor({ state: 'detached' });
  });

  test('moves the storage meter', inFull, async () => {
    const { person, page } = await followDrive();
    await page.getByText(/^0 bytes of .* used$/).waitFor();
    await person.upload('/large.bin', new Uint8Array(2_500_000));
    await page.getByText(/^2\.5 MB of .* used$/).waitFor();
  });

  test('appears although the connection was interrupted when it was made', inFull, async () => {
    const { person, page, streams } = await followDrive();
    await person.mkdir('/Before');
    await entry(page, 'Before').waitFor();
    await visit.goOffline();
    await page.getByText(AWAY).waitFor();
    await person.mkdir('/Meanwhile');
    assert.equal(await entry(page, 'Meanwhile').count(), 0);
    await visit.context.setOffline(false);
    await entry(page, 'Meanwhile').waitFor();
    await page.getByText(AWAY).waitFor({ state: 'hidden' });
    assert.match(streams.at(-1) ?? '', /^\d+$/, 'the stream goes on from where it was');
    await person.mkdir('/Afterwards');
    await entry(page, 'Afterwards').waitFor();
  });

  test('appears in every tab, although only one of them follows the drive', inFull, async () => {
    const { person, page, streams } = await followDrive();
    const other = await visit.context.newPage();
    await other.goto('/drive');
    await entry(other, 'Documents').waitFor();
    await waitFor(
      () => streams.length,
      (count) => count === 2,
      'the lead of the tab that was opened last',
    );
    await person.mkdir('/Both');
    await Promise.all([entry(page, 'Both').waitFor(), entry(other, 'Both').waitFor()]);
    assert.equal(streams.length, 2);
    await other.close();
    await person.mkdir('/Left');
    await entry(page, 'Left').waitFor();
    assert.equal(streams.length, 3);
  });

  test('appears when the page is restored by the back button', inFull, async () => {
    const { person, page } = await followDrive();
    await page.getByRole('link', { name: 'Recent' }).click();
    await page.getByRole('heading', { name: 'Recent', level: 1 }).waitFor();
    await person.mkdir('/Unseen');
    await page.getByRole('link', { name: 'My files' }).click();
    await entry(page, 'Unseen').waitFor();
  });
});

test(
  'a folder that could not be loaded appears by itself once the service answers again',
  inFull,
  async () => {
    const line = await CountingProxy.open(holdall.url);
    const { person, page } = await followDrive({}, line.url);
    await person.upload('/Documents/letter.txt', 'Dear');
    await page.getByRole('row', { name: 'Documents' }).waitFor();
    line.disconnect();
    await page.getByText(AWAY).waitFor();
    await entry(page, 'Documents').dblclick();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    line.reconnect();
    await entry(page, 'letter.txt').waitFor();
  },
);

test('the notice that the service is unreachable is accessible', inFull, async () => {
  for (const options of [{}, { ...PHONE, colorScheme: 'dark' }] as const) {
    await followDrive(options);
    await visit.goOffline();
    await visit.page.getByRole('status').filter({ hasText: AWAY }).waitFor();
    await visit.checkAccessible();
    visit.checkClean();
  }
});

test('the stream is closed after the logout', inFull, async () => {
  const { person, page, streams } = await followDrive();
  await page.getByRole('button', { name: person.username }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL('**/login**');
  const count = streams.length;
  await page.getByLabel('Username').fill('x');
  assert.equal(streams.length, count);
});
