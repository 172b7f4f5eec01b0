// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { lengthOf, parseRange } from './byte-range.ts';

const cases = [
  { header: 'bytes=0-0', size: 10, range: { start: 0, end: 0 } },
  { header: 'bytes=2-5', size: 10, range: { start: 2, end: 5 } },
  { header: 'BYTES= 2-5 ', size: 10, range: { start: 2, end: 5 } },
  { header: 'bytes=2-', size: 10, range: { start: 2, end: 9 } },
  { header: 'bytes=2-99999999999999999999', size: 10, range: { start: 2, end: 9 } },
  { header: 'bytes=-3', size: 10, range: { start: 7, end: 9 } },
  { header: 'bytes=-99', size: 10, range: { start: 0, end: 9 } },
  { header: 'bytes=10-', size: 10, range: 'unsatisfiable' },
  { header: 'bytes=99999999999999999999-', size: 10, range: 'unsatisfiable' },
  { header: 'bytes=-0', size: 10, range: 'unsatisfiable' },
  { header: 'bytes=5-2', size: 10, range: undefined },
  { header: 'bytes=-', size: 10, range: undefined },
  { header: 'bytes=', size: 10, range: undefined },
  { header: 'bytes=a-b', size: 10, range: undefined },
  { header: 'bytes=+1-2', size: 10, range: undefined },
  { header: 'bytes=0-1,4-5', size: 10, range: undefined },
  { header: 'lines=0-1', size: 10, range: undefined },
  { header: undefined, size: 10, range: undefined },
  { header: 'bytes=0-', size: 0, range: undefined },
  { header: 'bytes=-1', size: 0, range: undefined },
] as const;

for (const { header, size, range } of cases) {
  const asked = range === undefined ? 'is ignored' : `returns ${JSON.stringify(range)}`;
  test(`"${header}" of ${size} bytes ${asked}`, () => assert.deepEqual(parseRange(header, size), range));
}

test('every range is inside the body and is not empty', () => {
  const bound = fc.option(fc.nat(200), { nil: '' });
  fc.assert(
    fc.property(bound, bound, fc.nat(100), (first, last, size) => {
      const range = parseRange(`bytes=${first}-${last}`, size);
      if (range === undefined || range === 'unsatisfiable') return;
      assert.ok(range.start >= 0 && range.end < size && lengthOf(range) > 0);
    }),
  );
});
