// runs on: sqlite
// needs: browser
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { makePng } from '../../support/media/pictures.ts';
import { waitFor } from '../../support/tasks/tasks.ts';
import { startVisits } from '../../support/web/visits.ts';
import { PHONE } from '../../support/web/web-visit.ts';

const { holdall, begin } = await startVisits();

/** The width of the first tile, and how many tiles are beside each other. */
async function measure(page: Page): Promise<readonly [number, number]> {
  const boxes = await page
    .getByRole('gridcell')
    .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().toJSON()));
  const first = boxes[0];
  return [first?.width ?? 0, boxes.filter(({ top }) => top === first?.top).length];
}

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`the size of the tiles is chosen in the menu of the sort keys, and kept, on ${device}`, async () => {
    const person = await holdall.register(`tiles-${device.replaceAll(' ', '-')}`);
    for (let index = 0; index < 12; index += 1) {
      await person.upload(`/Album/${index}.png`, makePng(64, 48), 'image/png');
    }
    const visit = await begin(options);
    const { page } = visit;
    await visit.logIn(person, '/drive/Album');
    await page.getByRole('button', { name: 'Show as a grid' }).click();
    const choose = async (size: string) => {
      await page.getByRole('button', { name: 'Sort' }).click();
      await page.getByRole('menuitemradio', { name: size, exact: true }).click();
    };
    const medium = await waitFor(
      () => measure(page),
      ([width]) => width > 0,
      'tiles',
    );
    await choose('Large');
    await visit.checkAccessible();
    await page.keyboard.press('Escape');
    const large = await waitFor(
      () => measure(page),
      ([width]) => width > medium[0],
      'larger tiles',
    );
    assert.ok(large[1] < medium[1]);
    await page.reload();
    await waitFor(
      () => measure(page),
      ([width]) => width === large[0],
      'the same tiles after a reload',
    );
    await choose('Small');
    await page.keyboard.press('Escape');
    await waitFor(
      () => measure(page),
      ([width, count]) => width < medium[0] && count > medium[1],
      'smaller tiles',
    );
    assert.equal(await page.evaluate('document.body.scrollWidth - document.body.clientWidth'), 0);
    await visit.checkAccessible();
  });
}
