// tier: default
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { toShownRatio } from './justify.ts';
import {
  layOutPictures,
  lineAtTop,
  lineOfPicture,
  type PictureGroup,
  type PictureLines,
  type PictureSizes,
} from './picture-lines.ts';
import { keepInPlace, moveInLines, picturesInBand } from './picture-moves.ts';

const SIZES: PictureSizes = {
  ...{ width: 412, height: 100, gap: 4, headHeight: 40 },
  headWidth: () => 60,
  sectionOf: (name) => name.slice(0, 7),
};

/** Square pictures, of which four fit next to each other. */
const layOut = (groups: readonly PictureGroup[], ratioAt = (_index: number) => 1, sizes = SIZES) =>
  layOutPictures(groups, ratioAt, sizes);

const DAYS = [
  { name: '2026-11-14', count: 6 },
  { name: '2026-11-02', count: 1 },
  { name: '2025-01-01', count: 3 },
];

const shapeOf = ({ lines }: PictureLines) =>
  lines.map(({ top, height, first, count, blocks }) => [
    [top, height, first, count].join(' '),
    ...blocks.map((block) => `${block.name.slice(5)} at ${block.left}, ${block.count} in ${block.width}`),
  ]);

/** The left and right edges of the pictures of a line. */
const edgesOf = ({ lines, lefts, widths }: PictureLines, at: number) => {
  const { first = 0, count = 0 } = lines[at] ?? {};
  return Array.from({ length: count }, (_, step) => {
    const left = lefts[first + step] ?? 0;
    return [left, left + (widths[first + step] ?? 0)];
  });
};

describe('lines of pictures', () => {
  test('have headings, and begin and end at the edges', () => {
    const layout = layOut(DAYS);
    assert.deepEqual(shapeOf(layout), [
      ['0 40 0 0', '11-14 at 0, 6 in 412'],
      ['40 100 0 4', '11-14 at 0, 4 in 412'],
      ['144 100 4 2', '11-14 at 0, 2 in 412'],
      ['248 40 6 0', '11-02 at 0, 1 in 100'],
      ['288 100 6 1', '11-02 at 0, 1 in 100'],
      ['392 40 7 0', '01-01 at 0, 3 in 308'],
      ['432 100 7 3', '01-01 at 0, 3 in 308'],
    ]);
    assert.deepEqual([layout.height, layout.columns], [536, 4]);
    assert.deepEqual(edgesOf(layout, 1), [
      [0, 100],
      [104, 204],
      [208, 308],
      [312, 412],
    ]);
    assert.deepEqual(shapeOf(layOut([])), []);
  });

  test('are higher or lower than wanted, so that pictures keep their proportions', () => {
    const ratios = [1.5, 0.75, 1.5, 0.75, 2, 1, 1];
    const layout = layOut([{ name: '2026-05-01', count: 7 }], (index) => ratios[index] ?? 1);
    assert.deepEqual(
      layout.lines.map(({ height, count }) => [height, count]),
      [
        [40, 0],
        [108, 3],
        [108, 3],
        [100, 1],
      ],
    );
    assert.deepEqual(
      [1, 2].map((at) => edgesOf(layout, at).at(-1)?.[1]),
      [412, 412],
    );
  });

  test('without headings have no heading lines', () => {
    const layout = layOut([{ name: '', count: 5 }], () => 1, { ...SIZES, headHeight: 0 });
    assert.deepEqual(
      layout.lines.map(({ top, count }) => [top, count]),
      [
        [0, 4],
        [104, 1],
      ],
    );
  });

  test('contain several days of a month if they fit, but not those of another month', () => {
    const layout = layOut([
      { name: '2026-05-09', count: 1 },
      { name: '2026-05-08', count: 2 },
      { name: '2026-05-07', count: 1 },
      { name: '2026-04-30', count: 1 },
    ]);
    assert.deepEqual(
      shapeOf(layout).filter((_line, at) => at % 2 === 1),
      [
        ['40 100 0 3', '05-09 at 0, 1 in 100', '05-08 at 116, 2 in 204'],
        ['184 100 3 1', '05-07 at 0, 1 in 100'],
        ['328 100 4 1', '04-30 at 0, 1 in 100'],
      ],
    );
  });

  test('leave room for a heading that is wider than its pictures', () => {
    const layout = layOut(
      [
        { name: '2026-05-09', count: 1 },
        { name: '2026-05-08', count: 1 },
      ],
      () => 0.5,
    );
    assert.deepEqual(shapeOf(layout).at(1), ['40 100 0 2', '05-09 at 0, 1 in 60', '05-08 at 76, 1 in 60']);
  });

  test('grow to the edge if their days almost fill them', () => {
    const layout = layOut(
      [
        { name: '2026-05-09', count: 2 },
        { name: '2026-05-08', count: 1 },
      ],
      () => 1.2,
    );
    const { height, blocks } = layout.lines[1] ?? assert.fail();
    assert.equal(height, 108);
    const last = blocks.at(-1);
    assert.ok(Math.abs((last?.left ?? 0) + (last?.width ?? 0) - 412) <= 4, JSON.stringify(last));
  });

  test('cut panoramas and show pictures of unknown size like those of most cameras', () => {
    assert.deepEqual([undefined, Number.NaN, 0, 1.5, 9, 0.1].map(toShownRatio), [
      ...[4 / 3, 4 / 3, 4 / 3, 1.5, 3.2, 0.4],
    ]);
  });

  test('contain each picture once, within the edges and near the wanted height', () => {
    const ratio = fc.double({ min: 0.4, max: 3.2, noNaN: true });
    const counts = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 });
    const check = (counts: number[], ratios: number[], width: number, height: number) => {
      const groups = counts.map((count, at) => ({ name: `2026-05-${10 + at}`, count }));
      const ratioAt = (index: number) => ratios[index % ratios.length] ?? 1;
      const layout = layOut(groups, ratioAt, { ...SIZES, width, height });
      let [next, bottom] = [0, 0];
      for (const line of layout.lines) {
        assert.ok(line.top >= bottom && line.height >= 1);
        bottom = line.top + line.height;
        if (line.count === 0) continue;
        assert.equal(line.first, next);
        next += line.count;
        assert.ok(line.height <= height * 1.6 + 1, `${line.height}`);
        let right = -SIZES.gap;
        for (let index = line.first; index < next; index += 1) {
          const [left, wide] = [layout.lefts[index] ?? 0, layout.widths[index] ?? 0];
          assert.ok(left >= right + SIZES.gap - 1 && wide >= 1);
          right = left + wide;
        }
        assert.ok(right <= width + line.count + 2, `${right} of ${width}`);
      }
      assert.equal(
        next,
        counts.reduce((sum, count) => sum + count, 0),
      );
    };
    fc.assert(
      fc.property(
        counts,
        fc.array(ratio, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 300, max: 2_000 }),
        fc.integer({ min: 60, max: 400 }),
        check,
      ),
    );
  });
});

describe('a picture', () => {
  const layout = layOut(DAYS);

  test('is found by its position and by its index', () => {
    assert.deepEqual(
      [-5, 0, 39, 40, 247, 248, 9_999].map((top) => lineAtTop(layout.lines, top)),
      [0, 0, 0, 1, 2, 3, 6],
    );
    assert.deepEqual(
      [0, 3, 4, 6, 7, 9].map((index) => lineOfPicture(layout.lines, index)),
      [1, 1, 2, 4, 6, 6],
    );
  });

  test('is left for the nearest one above or below, past headings and short lines', () => {
    const move = (key: string, from: number) =>
      moveInLines(layout, key, from, { total: 10, columns: 4, lines: 2 });
    assert.deepEqual(
      [0, 3, 5, 6, 9].map((from) => move('ArrowDown', from)),
      [4, 5, 6, 7, 9],
    );
    assert.deepEqual(
      [0, 4, 5, 6, 9].map((from) => move('ArrowUp', from)),
      [0, 0, 1, 4, 6],
    );
    assert.deepEqual([move('PageDown', 1), move('PageUp', 9), move('PageDown', 9)], [6, 5, 9]);
    assert.deepEqual([move('ArrowRight', 3), move('ArrowLeft', 3), move('End', 0)], [4, 2, 9]);
    assert.deepEqual([move('ArrowDown', -1), move('x', 1)], [0, undefined]);
  });

  test('is touched by a rectangle that begins between or beside pictures', () => {
    const touched = (left: number, top: number, right: number, bottom: number) => {
      const {
        first = 0,
        last = -1,
        count = 0,
        has,
      } = picturesInBand(layout, { left, top, right, bottom }) ?? {};
      const indexes = Array.from({ length: last - first + 1 }, (_, step) => first + step);
      const found = indexes.filter((index) => has?.(index) === true);
      assert.equal(found.length, count);
      return found;
    };
    assert.deepEqual(touched(110, 10, 250, 30), [], 'headings');
    assert.deepEqual(touched(110, 10, 250, 60), [1, 2]);
    assert.deepEqual(touched(110, 10, 250, 450), [1, 2, 5, 8, 9]);
    assert.deepEqual(touched(310, 41, 311, 139), [], 'between two pictures');
    assert.deepEqual(touched(0, 540, 999, 999), [], 'below everything');
    assert.equal(picturesInBand(layOut([]), { left: 0, top: 0, right: 9, bottom: 9 }), undefined);
  });
});

describe('when proportions become known, the visible pictures', () => {
  const days = [
    { name: '2026-11-14', count: 6 },
    { name: '2026-10-02', count: 40 },
  ];
  const before = layOut(days);
  const wide = layOut(days, () => 2);

  test('stay in place', () => {
    const at = lineOfPicture(before.lines, 14);
    const top = (before.lines[at]?.top ?? 0) + 10;
    const found = wide.lines[lineOfPicture(wide.lines, 14)]?.top ?? 0;
    assert.notEqual(found + 10, top);
    assert.equal(keepInPlace(before, wide, top, 300), found + 10);
    assert.equal(keepInPlace(before, before, top, 300), top);
  });

  test('stay in place below a heading, and when pictures are added above', () => {
    const head = before.lines.findLast(({ count }) => count === 0);
    const more = layOut([{ name: '2026-11-30', count: 8 }, ...days]);
    const found = more.lines.findLast(({ count }) => count === 0);
    assert.equal(keepInPlace(before, more, (head?.top ?? 0) + 5, 300), (found?.top ?? 0) + 5);
  });

  test('stay at the beginning or the end of everything', () => {
    assert.equal(keepInPlace(before, wide, 0, 300), 0);
    assert.equal(keepInPlace(before, wide, before.height - 300, 300), wide.height - 300);
  });

  test('may have been deleted', () => {
    assert.equal(keepInPlace(before, layOut([{ name: '2026-01-01', count: 1 }]), 500, 300), 500);
  });
});
