// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { Failure } from '../../base/failure.ts';
import { fromCursor, MAX_CURSOR_LENGTH, toCursor } from './timeline-place.ts';

const cursorOf = (text: string) => Buffer.from(text).toString('base64url');

test('a cursor decodes to the place it was made from, and is short', () => {
  const place = fc.record({ at: fc.maxSafeInteger(), id: fc.nat(Number.MAX_SAFE_INTEGER) });
  fc.assert(
    fc.property(place, (place) => {
      // A cursor, like JSON, has no negative zero.
      const expected = { ...place, at: place.at + 0 };
      assert.deepEqual(fromCursor(toCursor(place)), expected);
      assert.ok(toCursor(place).length <= MAX_CURSOR_LENGTH);
    }),
  );
});

for (const [what, text] of [
  ['nothing', ''],
  ['other characters', '!!!'],
  ['other bytes', cursorOf('\0\0')],
  ['one number', cursorOf('17')],
  ['three numbers', cursorOf('1:2:3')],
  ['a number with a leading zero', cursorOf('01:2')],
  ['a negative id', cursorOf('1:-2')],
  ['a number that is too large', cursorOf('1:9999999999999999')],
  ['a fraction', cursorOf('1.5:2')],
  ['a cursor and more', `${cursorOf('1:2')}=`],
] as const) {
  test(`${what} is not a valid cursor`, () =>
    assert.throws(
      () => fromCursor(text),
      (error) => error instanceof Failure && error.kind === 'invalid',
    ));
}

test('a text that is not a valid cursor is rejected', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: MAX_CURSOR_LENGTH }), (text) => {
      try {
        assert.equal(toCursor(fromCursor(text)), text);
      } catch (error) {
        assert(error instanceof Failure, String(error));
      }
    }),
  );
});
