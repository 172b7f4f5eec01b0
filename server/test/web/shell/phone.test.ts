// tier: full
// runs on: sqlite
// needs: browser
// What differs on phones: fingers instead of a pointer, and a notch.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/Documents/letter.txt', 'Dear all', 'text/plain');

async function openMenu(page: Page): Promise<void> {
  await row(page, 'letter.txt').getByRole('button', { name: 'Actions' }).tap();
  await page.getByRole('menu').waitFor();
}

/** Finds buttons and fields smaller than `least`. Skips links in texts and checkboxes in larger labels. */
const FIND_SMALL = `(least) => [...document.querySelectorAll('button, select, input, [role=menuitem], nav a')]
  .filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .map((element) => [element.closest('label, [data-check]') ?? element, element])
  .map(([area, element]) => ({ box: area.getBoundingClientRect(), element }))
  .filter(({ box }) => box.width > 1 && (box.height < least - 0.5 || box.width < least - 0.5))
  .filter(({ element }) => element.closest('.mantine-PasswordInput-section, [role=columnheader], .skip-link') === null)
  .map(({ element, box }) => (element.ariaLabel || element.innerText || element.name) + ' ' + box.width + ' x ' + box.height)`;

describe('on a phone', () => {
  test('every tap target is large enough for a finger', async () => {
    const { page } = await (await begin(PHONE)).logIn(alice);
    const link = await alice.ask<{ token: string }>('POST', '/api/v2/folder-links', {
      body: { directoryId: (await alice.mkdir('/Shown')).id, mode: 'VIEW' },
    });
    await alice.upload('/Shown/a.txt', 'a');
    await alice.mkdir('/Empty');
    for (const [address, text] of [
      ['/drive/Documents', 'letter.txt'],
      ['/drive/Empty', 'Tap Upload to add files.'],
      ['/shared', 'Share whole drive'],
      ['/search?q=letter', 'letter.txt'],
      ['/transfer', 'Choose files'],
      [`/f/${link.token}`, 'a.txt'],
    ] as const) {
      await page.goto(address);
      await page.getByText(text).first().waitFor();
      assert.deepEqual(await page.evaluate(`(${FIND_SMALL})(44)`), [], address);
    }
    await page.goto('/drive/Documents');
    await openMenu(page);
    assert.deepEqual(await page.evaluate(`(${FIND_SMALL})(44)`), []);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`the menu of an entry is a sheet at the lower edge (${colorScheme})`, async () => {
      const visit = await begin({ ...PHONE, colorScheme });
      const { page } = await visit.logIn(alice, '/drive/Documents');
      await openMenu(page);
      const menu = page.getByRole('menu');
      await menu.getByText('letter.txt').waitFor();
      const box = await menu.boundingBox();
      assert.deepEqual([box?.x, box?.width, (box?.y ?? 0) + (box?.height ?? 0)], [0, 360, 740]);
      await visit.checkAccessible();
      await page.getByRole('menuitem', { name: 'Rename' }).tap();
      await page.getByRole('textbox', { name: 'New name' }).waitFor();
    });
  }

  test('no entry is outlined before a key is pressed', async () => {
    const { page } = await (await begin(PHONE)).logIn(alice, '/drive/Documents');
    await row(page, 'letter.txt').waitFor();
    assert.equal(await page.evaluate('document.activeElement === document.body'), true);
  });

  test('nothing is hidden by the notch, the round corners and the bar of the phone', async () => {
    const visit = await begin({ ...PHONE, viewport: { width: 844, height: 390 } });
    const tools = await visit.openTools();
    const insets = { left: 59, right: 59, bottom: 21 };
    await tools.send('Emulation.setSafeAreaInsetsOverride' as never, { insets } as never);
    const { page } = await visit.logIn(alice, '/drive/Documents');
    await row(page, 'letter.txt').waitFor();
    const open = page.getByRole('button', { name: 'Open menu' });
    const list = page.getByRole('grid');
    const avatar = page.getByRole('button', { name: alice.username });
    const [left, middle, right] = await Promise.all([open, list, avatar].map((part) => part.boundingBox()));
    assert.ok(left && middle && right);
    assert.ok(left.x >= 59, `the button of the menu begins at ${left.x}`);
    assert.ok(middle.x >= 59, `the list begins at ${middle.x}`);
    for (const { x, width } of [middle, right]) assert.ok(x + width <= 844 - 59, `${x} and ${width} wide`);
    await open.tap();
    const places = await page.getByRole('navigation', { name: 'Places' }).boundingBox();
    assert.ok(places && places.x >= 59, `the navigation begins at ${places?.x}`);
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await row(page, 'letter.txt').getByText('letter.txt').tap();
    const close = await page.getByRole('dialog').getByRole('button', { name: 'Close' }).boundingBox();
    assert.ok(close && close.x + close.width <= 844 - 59, `the button of the preview is at ${close?.x}`);
  });

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on its side, the list has the width and nearly all of the height (${colorScheme})`, async () => {
      const visit = await begin({ ...PHONE, viewport: { width: 844, height: 390 }, colorScheme });
      const { page } = await visit.logIn(alice, '/drive/Documents');
      await row(page, 'letter.txt').waitFor();
      assert.equal(await page.getByRole('navigation', { name: 'Places' }).count(), 0);
      const list = await page.getByRole('grid').boundingBox();
      assert.ok(list && list.width > 800 && list.height >= 250, `${list?.width} x ${list?.height}`);
      const line = await row(page, 'letter.txt').boundingBox();
      assert.ok(line && line.y - list.y < 2, 'no line of column heads');
      const title = page.getByRole('heading', { name: 'Documents', level: 1 });
      assert.ok(((await title.boundingBox())?.width ?? 0) > 50);
      assert.deepEqual(await page.evaluate(`(${FIND_SMALL})(44)`), []);
      assert.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0);
      await visit.checkAccessible();
      await row(page, 'letter.txt').getByRole('checkbox').tap();
      await page.getByText('1 selected').waitFor();
      // The actions replace the visible title. Screen readers still find it.
      const actions = await page.getByRole('toolbar').boundingBox();
      assert.ok(actions && actions.x < 16 && actions.width > 600, `${actions?.x}, ${actions?.width} wide`);
      assert.equal(await title.count(), 1);
      await visit.checkAccessible();
      await page.getByRole('button', { name: 'Clear selection' }).tap();
      await page.getByRole('button', { name: 'Open menu' }).tap();
      await page.getByRole('dialog').getByRole('link', { name: 'Photos' }).tap();
      await page.getByRole('heading', { name: 'Photos', level: 1 }).waitFor();
      await visit.checkAccessible();
    });
  }

  test('the navigation is hidden, but not in a small desktop window or on an upright tablet', async () => {
    for (const options of [
      { viewport: { width: 844, height: 390 } },
      { ...PHONE, viewport: { width: 768, height: 1_024 } },
    ]) {
      const { page } = await (await begin(options)).logIn(alice);
      await row(page, 'Documents').waitFor();
      const places = await page.getByRole('navigation', { name: 'Places' }).boundingBox();
      const list = await page.getByRole('grid').boundingBox();
      assert.ok(places && list && list.x >= places.x + places.width);
      assert.equal(await page.getByRole('button', { name: 'Open menu' }).count(), 0);
    }
  });

  test('rows have room for text at twice the size', async () => {
    const visit = await begin(PHONE);
    const tools = await visit.openTools();
    await tools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    const { page } = await visit.logIn(alice, '/drive/Documents');
    const line = row(page, 'letter.txt');
    await line.waitFor();
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), '32px');
    const heights = await line.evaluate((element) => {
      const name = element.querySelector('a');
      const fact = element.querySelector('small');
      const [outer, first, last] = [element, name, fact].map((part) => part?.getBoundingClientRect());
      return [(first?.top ?? 0) - (outer?.top ?? 0), (outer?.bottom ?? 0) - (last?.bottom ?? 0)];
    });
    assert.ok(
      heights.every((room) => room >= 0),
      `${heights} pixels above and below`,
    );
    const up = await page.getByRole('link', { name: 'Up one folder' }).boundingBox();
    const heading = page.getByRole('heading', { level: 1 });
    const title = await heading.boundingBox();
    assert.ok(up && title && (up.x + up.width <= title.x || up.y + up.height <= title.y), 'nothing overlaps');
    assert.ok(await heading.evaluate((text) => text.scrollWidth <= text.clientWidth), 'the title is whole');
    const avatar = await page.getByRole('button', { name: alice.username }).boundingBox();
    assert.ok(avatar && avatar.x + avatar.width <= 360, 'the avatar is on the screen');
    await tools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  });

  test('the toolbar stays one line on a low screen, even with large text', async () => {
    const visit = await begin({ ...PHONE, viewport: { width: 667, height: 375 } });
    const tools = await visit.openTools();
    await tools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
    await alice.upload('/Documents/Letters/Old letters/a.txt', 'a');
    const { page } = await visit.logIn(alice, '/drive/Documents/Letters/Old%20letters');
    await row(page, 'a.txt').waitFor();
    const up = await page.getByRole('link', { name: 'Up one folder' }).boundingBox();
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    assert.ok(up && title && up.x + up.width <= title.x && up.y < title.y + title.height);
    await tools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
  });
});
