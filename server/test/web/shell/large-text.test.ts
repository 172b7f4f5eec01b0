// tier: default
// runs on: sqlite
// needs: browser
// Every page with text at twice the size, and in the forced colours of the system.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inFull } from '../../../../tools/testing/tiers.ts';
import { makePng } from '../../support/media/pictures.ts';
import { row, startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const UPRIGHT = { ...PHONE, viewport: { width: 390, height: 780 } };

const { holdall, begin } = await startVisits();
const alice = await holdall.register('alice');
await alice.upload('/Pictures/red.png', makePng(8, 8), 'image/png');
await alice.upload('/A rather long name of a letter to everybody.txt', 'Dear all');

const PAGES = [
  ...['/drive', '/recent', '/photos', '/starred', '/shared', '/drives', '/search?q=red', '/bin', '/tasks'],
  ...['/profile', '/connect', '/save-shared', '/transfer', '/drive/Pictures'],
];
const admin = await holdall.admin();
const ADMIN_PAGES = ['/admin', '/admin/users', '/admin/invites', '/admin/storage', '/admin/settings'];

/** Texts of buttons, links and labels that are cut off without a sign, and what is beyond the page's edge. */
async function findCut(page: Page): Promise<readonly string[]> {
  return await page.evaluate(() => {
    const found: string[] = [];
    const { scrollWidth, clientWidth } = document.documentElement;
    const isBeyond = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1;
    if (scrollWidth > clientWidth) {
      const widest = [...document.querySelectorAll('main *')].filter(isBeyond).at(-1);
      found.push(
        `the page is ${scrollWidth} of ${clientWidth} pixels wide: ${widest?.outerHTML.slice(0, 200)}`,
      );
    }
    const parts = document.querySelectorAll<HTMLElement>('h1, h2, button, a, label, [role=tab]');
    for (const part of parts) {
      if (!part.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      for (const element of [part, ...part.querySelectorAll<HTMLElement>('*')]) {
        const { overflowX, textOverflow } = getComputedStyle(element);
        // A hidden text for screen readers has a width of one pixel, two here.
        const isCut = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
        const hasText = element.innerText?.trim() && element.clientWidth > 2;
        if (isCut && hasText && textOverflow !== 'ellipsis') found.push(`cut off: ${element.innerText}`);
      }
    }
    return found;
  });
}

/** Opens each page, and returns what was found there, each with its address. */
async function walk(page: Page, addresses: readonly string[], find: () => Promise<readonly string[]>) {
  const found: string[] = [];
  for (const address of addresses) {
    await page.goto(address);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    found.push(...(await find()).map((each) => `${address}: ${each}`));
  }
  return found;
}

async function openWithLargeText(options: object, person: typeof alice) {
  const visit = await begin(options);
  const tools = await visit.openTools();
  await tools.send('Page.setFontSizes', { fontSizes: { standard: 32 } });
  await visit.logIn(person);
  await row(visit.page, 'Pictures')
    .or(visit.page.getByRole('heading', { level: 1 }))
    .first()
    .waitFor();
  return { visit, restore: () => tools.send('Page.setFontSizes', { fontSizes: { standard: 16 } }) };
}

describe('with text at twice the size, nothing is cut off', () => {
  for (const [screen, options] of [
    ['laptop', {}],
    ['phone', UPRIGHT],
  ] as const) {
    test(`on a ${screen}`, screen === 'phone' ? {} : inFull, async () => {
      const { visit, restore } = await openWithLargeText(options, alice);
      const { page } = visit;
      assert.deepEqual(await walk(page, PAGES, () => findCut(page)), []);
      await restore();
    });

    test(`on the pages of an administrator, on a ${screen}`, inFull, async () => {
      const { visit, restore } = await openWithLargeText(options, admin);
      const { page } = visit;
      assert.deepEqual(await walk(page, ADMIN_PAGES, () => findCut(page)), []);
      await restore();
    });
  }
});

/** What has the focus and does not show it. Forced colours remove shadows and backgrounds. */
const DESCRIBE_HIDDEN_FOCUS = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const shows = (shown) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(shown);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
  };
  // Lists and switches show the focus at a part of them, or at what surrounds them.
  const { parentElement: around } = element;
  const parts = [element, ...element.querySelectorAll('*'), around, around?.parentElement, ...(around?.children ?? [])];
  return parts.some((part) => part && shows(part)) ? null : element.outerHTML.slice(0, 200);
})()`;

test('in forced colours, everything shows the focus', inFull, async () => {
  const visit = await begin({ forcedColors: 'active' });
  const { page } = await visit.logIn(alice);
  const findHidden = async () => {
    const hidden = new Set<string>();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab');
      const found = await page.evaluate<string | null>(DESCRIBE_HIDDEN_FOCUS);
      if (found !== null) hidden.add(found);
    }
    await visit.checkAccessible();
    return [...hidden];
  };
  assert.deepEqual(await walk(page, PAGES, findHidden), []);
});
