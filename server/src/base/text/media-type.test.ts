// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { toMediaType } from './media-type.ts';

const cases: readonly [string, string | undefined][] = [
  ['text/plain', 'text/plain'],
  ['Image/JPEG', 'image/jpeg'],
  [' text/html ', 'text/html'],
  ['application/vnd.android.package-archive', 'application/vnd.android.package-archive'],
  ['image/svg+xml', 'image/svg+xml'],
  ['text/html;charset=UTF-8', 'text/html; charset=utf-8'],
  ['text/html; Charset="UTF-8"', 'text/html; charset=utf-8'],
  ['text/plain; format=flowed; charset=us-ascii; charset=utf-8', 'text/plain; charset=us-ascii'],
  ['multipart/form-data; boundary="a;b\\"c"', 'multipart/form-data'],
  ['text/plain; charset="a b"', 'text/plain'],
  ['text/plain;', 'text/plain'],
  [`text/${'x'.repeat(123)}`, `text/${'x'.repeat(123)}`],
  [`text/${'x'.repeat(124)}`, undefined],
  [`text/plain; boundary=${'x'.repeat(200)}`, 'text/plain'],
  [`text/plain; boundary=${'x'.repeat(2_000)}`, undefined],
  ['', undefined],
  ['text', undefined],
  ['text/', undefined],
  ['/plain', undefined],
  ['text/pl ain', undefined],
  ['text/plain charset=utf-8', undefined],
  ['text/plain; charset', undefined],
  ['text/plain, text/html', undefined],
  ['text/plain\r\nset-cookie: a=b', undefined],
  ['text/plain\u0000', undefined],
  ['téxt/plain', undefined],
];

for (const [sent, cleaned] of cases) {
  test(`${JSON.stringify(sent.slice(0, 60))} (${sent.length}) is ${cleaned === undefined ? 'rejected' : 'normalised'}`, () =>
    assert.equal(toMediaType(sent), cleaned));
}

test('any text is rejected or becomes one line of printable ASCII, which does not change again', () => {
  const almost = fc.string({ unit: fc.constantFrom(...'aZ/;="\\ \t\n,charset'), maxLength: 40 });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        almost.map((rest) => `a/b;${rest}`),
      ),
      (sent) => {
        const cleaned = toMediaType(sent);
        if (cleaned === undefined) return;
        assert.match(cleaned, /^[\x21-\x7e]+(; charset=[\x21-\x7e]+)?$/);
        assert.equal(toMediaType(cleaned), cleaned);
      },
    ),
  );
});

test('a long run of blanks and semicolons is rejected quickly', () => {
  // CPU time, because other processes may use the cores.
  const before = process.cpuUsage();
  assert.equal(toMediaType(`a/b${'; '.repeat(500)}=`), undefined);
  assert.ok(process.cpuUsage(before).user < 200_000);
});
