// tier: default
// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { startHoldall } from '../../support/app/holdall.ts';
import { startBrowser } from '../../support/web/browser.ts';
import { untilTitle } from '../../support/web/until-title.ts';
import { PHONE, Visit } from '../../support/web/web-visit.ts';

const holdall = await startHoldall();
const browser = await startBrowser();
const alice = await holdall.register('alice');
await alice.mkdir('/Documents/Letters/2026');
let visit: Visit;
afterEach(() => visit.checkClean());

describe('the page frame', () => {
  test('marks the current page, and names it in the tab', inFull, async () => {
    visit = await (await Visit.begin(browser, holdall)).logIn(alice);
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Places' });
    await untilTitle(page, 'My files – Holdall');
    assert.equal(await places.getByRole('link', { name: 'My files' }).getAttribute('aria-current'), 'page');
    const send = places.getByRole('list', { name: 'Send' });
    await send.getByRole('link', { name: 'Links' }).click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
    await untilTitle(page, 'Links – Holdall');
    assert.equal(await send.getByRole('link', { name: 'Links' }).getAttribute('aria-current'), 'page');
    assert.equal(await places.getByRole('link', { name: 'My files' }).getAttribute('aria-current'), null);
    await page.goto('/drive/Pictures');
    await untilTitle(page, 'Pictures – Holdall');
  });

  test('shows the used storage, and leads to the profile', inFull, async () => {
    visit = await (await Visit.begin(browser, holdall)).logIn(alice);
    const { page } = visit;
    await page.getByText(/ of .* used/).waitFor();
    await page.getByRole('button', { name: alice.username }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    await visit.checkAccessible();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.waitForURL('**/profile');
  });

  for (const [device, options] of [
    ['laptop', {}],
    ['phone', { ...PHONE, colorScheme: 'dark' }],
  ] as const) {
    test(`unfolds the tree of folders on a ${device}, and remembers it`, inFull, async () => {
      visit = await (await Visit.begin(browser, holdall, options)).logIn(alice);
      const { page } = visit;
      const unfoldMenu = async () => {
        if (device === 'phone') await page.getByRole('button', { name: 'More', exact: true }).click();
      };
      await unfoldMenu();
      const places = page.getByRole('navigation', { name: 'Places' });
      const toggle = places.getByRole('button', { name: 'Folders', exact: true });
      assert.equal(await toggle.getAttribute('aria-expanded'), 'false');
      await toggle.click();
      await places.getByRole('button', { name: 'Folders of Documents' }).click();
      await places.getByRole('link', { name: 'Letters' }).waitFor();
      await visit.checkAccessible();
      await places.getByRole('button', { name: 'Folders of Letters' }).click();
      await places.getByRole('button', { name: 'Folders of 2026' }).press('Enter');
      // The folder has no subfolders, so there is nothing to unfold.
      await places.getByRole('button', { name: 'Folders of 2026' }).waitFor({ state: 'detached' });
      await places.locator('a:focus', { hasText: '2026' }).waitFor();
      await places.getByRole('link', { name: 'Letters' }).click();
      await page.waitForURL('**/drive/Documents/Letters');
      await page.getByRole('row', { name: '2026' }).waitFor();
      await page.reload();
      await unfoldMenu();
      const letters = places.getByRole('link', { name: 'Letters' });
      await letters.waitFor();
      assert.equal(await letters.getAttribute('aria-current'), 'page');
      await toggle.click();
      await letters.waitFor({ state: 'detached' });
    });
  }

  test('opens the tree along the shown folder, unless the user has closed it', async () => {
    visit = await (await Visit.begin(browser, holdall)).logIn(alice);
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Places' });
    const files = page.getByRole('grid');
    await files.getByRole('link', { name: 'Documents' }).click();
    await places.getByRole('link', { name: 'Documents' }).and(page.locator('[aria-current]')).waitFor();
    await files.getByRole('link', { name: 'Letters' }).click();
    await places.getByRole('link', { name: 'Letters' }).and(page.locator('[aria-current]')).waitFor();
    await places.getByRole('button', { name: 'Folders', exact: true }).click();
    await places.getByRole('link', { name: 'Letters' }).waitFor({ state: 'detached' });
    await files.getByRole('link', { name: '2026' }).click();
    await page.getByRole('heading', { name: '2026', level: 1 }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: '2026', level: 1 }).waitFor();
    assert.equal(await places.getByRole('link', { name: 'Documents' }).count(), 0);
  });

  test('is accessible in dark mode', inFull, async () => {
    visit = await (await Visit.begin(browser, holdall, { colorScheme: 'dark' })).logIn(alice);
    await visit.page.getByRole('link', { name: 'Recent' }).click();
    await visit.page.getByRole('heading', { name: 'Recent', level: 1 }).waitFor();
    await visit.checkAccessible();
  });

  test('is in Chinese on demand', async () => {
    visit = await (await Visit.begin(browser, holdall)).logIn(alice);
    const { page } = visit;
    await page.getByRole('button', { name: alice.username }).click();
    await page.getByRole('menuitemradio', { name: '简体中文' }).click();
    await page.getByRole('link', { name: '快传' }).waitFor();
    await untilTitle(page, '我的文件 – Holdall');
  });
});

test('an unknown address shows a page to browsers, and returns JSON to other clients', async () => {
  visit = await Visit.begin(browser, holdall, { colorScheme: 'dark' });
  const { page } = visit;
  const response = await page.goto('/no/such/page');
  assert.equal(response?.status(), 404);
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await visit.checkAccessible();
  for (const [address, accept] of [
    ['/no/such/page', 'application/json'],
    ['/api/no/such/call', 'text/html'],
    ['/assets/none.js', 'text/html'],
  ] as const) {
    const { status, headers } = await fetch(`${holdall.url}${address}`, { headers: { accept } });
    assert.deepEqual(
      [status, headers.get('content-type')],
      [404, 'application/json; charset=utf-8'],
      address,
    );
  }
});

describe('on a phone', () => {
  test('the navigation opens over the page, and closes after a choice', async () => {
    visit = await (await Visit.begin(browser, holdall, PHONE)).logIn(alice);
    const { page } = visit;
    const places = page.getByRole('navigation', { name: 'Places' });
    assert.equal(await places.isVisible(), false);
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await places.getByRole('link', { name: 'Recycle bin' }).waitFor();
    await visit.checkAccessible();
    await places.getByRole('link', { name: 'Recycle bin' }).click();
    await page.waitForURL('**/bin');
    await places.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await places.waitFor();
    await page.keyboard.press('Escape');
    await places.waitFor({ state: 'hidden' });
  });

  test('nothing is wider than the screen', inFull, async () => {
    visit = await (await Visit.begin(browser, holdall, PHONE)).logIn(alice);
    const { page } = visit;
    for (const address of ['/drive', '/recent', '/tasks', '/search?q=a']) {
      await page.goto(address);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.equal(await page.locator(':root').evaluate((root) => root.scrollWidth), 360, address);
    }
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox').fill('x');
    await visit.checkAccessible();
    await page.getByRole('button', { name: 'Leave search' }).click();
    await page.getByRole('searchbox').waitFor({ state: 'hidden' });
  });
});
