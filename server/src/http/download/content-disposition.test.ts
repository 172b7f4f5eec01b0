// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../test/support/text/any-character.ts';
import { toAttachment } from './content-disposition.ts';

const cases: readonly [string, string][] = [
  ['a.txt', `attachment; filename="a.txt"; filename*=UTF-8''a.txt`],
  ['my file.txt', `attachment; filename="my file.txt"; filename*=UTF-8''my%20file.txt`],
  [
    'Übung 日本 👍.pdf',
    `attachment; filename="_bung __ _.pdf"; filename*=UTF-8''%C3%9Cbung%20%E6%97%A5%E6%9C%AC%20%F0%9F%91%8D.pdf`,
  ],
  [`a"b\\c%41.txt`, `attachment; filename="a_b_c_41.txt"; filename*=UTF-8''a%22b%5Cc%2541.txt`],
  [`it's (1)*!~.txt`, `attachment; filename="it's (1)*!~.txt"; filename*=UTF-8''it%27s%20%281%29%2A!~.txt`],
  [
    'a\r\nset-cookie: x',
    `attachment; filename="a__set-cookie: x"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x`,
  ],
  ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
];

for (const [name, header] of cases) {
  test(`${JSON.stringify(name)} has a form for old and new clients`, () =>
    assert.equal(toAttachment(name), header));
}

test('any name gives one line of ASCII, from which a client can decode it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (name) => {
      const found =
        /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]*)$/.exec(
          toAttachment(name),
        );
      assert.equal(decodeURIComponent(found?.[1] ?? 'no match'), name.toWellFormed());
    }),
  );
});
