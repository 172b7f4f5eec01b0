// tier: full
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

/** The position of the text in each tile, and its size. */
const MEASURE_CAPTIONS = `[...document.querySelectorAll('[role=gridcell]')].map((tile) => {
  const [outer, picture] = [tile, tile.firstElementChild].map((part) => part.getBoundingClientRect());
  const lines = [...tile.querySelectorAll('a, small')];
  return {
    fontPx: Math.min(...lines.map((line) => Number.parseFloat(getComputedStyle(line).fontSize))),
    isInside: lines.every((line) => {
      const { top, bottom, width } = line.getBoundingClientRect();
      return top >= picture.bottom - 1 && bottom <= outer.bottom + 1 && width > outer.width / 3;
    }),
    isWhole: lines.every((line) => line.scrollHeight <= line.clientHeight + 1),
    pictureShare: picture.height / outer.height,
  };
})`;

interface Caption {
  readonly fontPx: number;
  readonly isInside: boolean;
  readonly isWhole: boolean;
  readonly pictureShare: number;
}

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`tile captions have room for text at twice the size, on ${device}`, async () => {
    const person = await holdall.register(`large-${device.replaceAll(' ', '-')}`);
    for (let index = 0; index < 6; index += 1) {
      await person.upload(`/Album/Picture ${index}.png`, makePng(64, 48), 'image/png');
    }
    const visit = await begin(options);
    const { page } = visit;
    const tools = await visit.openTools();
    await visit.logIn(person, '/drive/Album');
    await page.getByRole('button', { name: 'Grid view' }).click();
    const measureAll = async (rootPx: number) => {
      await tools.send('Page.setFontSizes', { fontSizes: { standard: rootPx } });
      await page.reload();
      await page.getByRole('gridcell').first().waitFor();
      return await page.evaluate<readonly Caption[]>(MEASURE_CAPTIONS);
    };
    for (const size of ['Small', 'Medium', 'Large']) {
      await page.getByRole('button', { name: 'Sort' }).click();
      await page.getByRole('menuitemradio', { name: size, exact: true }).click();
      const usual = await measureAll(16);
      const large = await measureAll(32);
      assert.ok(large.length > 0);
      for (const { fontPx, isInside, isWhole, pictureShare } of large) {
        assert.equal(fontPx, (usual[0]?.fontPx ?? 0) * 2, size);
        assert.ok(isInside && isWhole, size);
        assert.ok(pictureShare > 0.4, `the picture has ${pictureShare} of a tile (${size})`);
      }
      assert.equal(await page.evaluate('document.body.scrollWidth - document.body.clientWidth'), 0);
      await visit.checkAccessible();
      await tools.send('Page.setFontSizes', { fontSizes: { standard: 16 } });
      await page.reload();
    }
  });
}

for (const [device, options] of [
  ['a laptop', {}],
  ['a dark phone', { ...PHONE, colorScheme: 'dark' }],
] as const) {
  test(`the tile size is chosen in the sort menu, and remembered, on ${device}`, async () => {
    const person = await holdall.register(`tiles-${device.replaceAll(' ', '-')}`);
    for (let index = 0; index < 12; index += 1) {
      await person.upload(`/Album/${index}.png`, makePng(64, 48), 'image/png');
    }
    const visit = await begin(options);
    const { page } = visit;
    await visit.logIn(person, '/drive/Album');
    await page.getByRole('button', { name: 'Grid view' }).click();
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
