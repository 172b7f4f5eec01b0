// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as server from '../../../../server/src/base/text/names/sort-name.ts';
import { anyCharacter } from '../../../../server/test/support/text/any-character.ts';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { toSortName, toSortPrefix } from './sort-name.ts';

test('the client computes the same sort keys as the service', () => {
  const likely = fc.constantFrom(...'aZ19 ._-éßйиіçøクが第１٣가😀'.split(''));
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(likely, anyCharacter), maxLength: 60 }), (name) => {
      assert.equal(toSortName(name), server.toSortName(name));
      assert.equal(toSortPrefix(name), server.toSortPrefix(name));
    }),
    { numRuns: 2_000 },
  );
});
