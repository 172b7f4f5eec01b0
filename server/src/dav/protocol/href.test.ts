// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../test/support/text/any-character.ts';
import { toFileName } from '../../base/text/names/file-name.ts';
import { joinPath, type LogicalPath } from '../../base/text/names/logical-path.ts';
import { type DavTarget, readReference, readTarget, toHref } from './href.ts';

function isFileName(text: string): boolean {
  try {
    return toFileName(text) !== '';
  } catch {
    return false;
  }
}

const pathOf = (target: DavTarget) => (target === 'drives' ? undefined : target.path);

test('the address of a path decodes to the same path', () => {
  const name = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }).filter(isFileName);
  fc.assert(
    fc.property(fc.array(name, { maxLength: 4 }), fc.boolean(), (names, isDirectory) => {
      const path = joinPath(names);
      const href = toHref('/dav/', path, isDirectory);
      assert.match(href, /^\/dav\/[\x21-\x7e]*$/);
      assert.doesNotMatch(href, /[<>&"?#]/);
      const hasSlash = path === '/' || isDirectory;
      assert.deepEqual(readTarget(href), { driveName: undefined, root: '/dav/', path, hasSlash });
    }),
  );
});

const REJECTED = [
  '/dav/..',
  '/dav/../x',
  '/dav/a/../../x',
  '/dav/%2e%2e/x',
  '/dav/.%2E/x',
  '/dav/./x',
  '/dav/a%2fb',
  '/dav/a%5cb',
  '/dav/a\\b',
  '/dav/a%00',
  '/dav/a%0a',
  '/dav/%ff',
  '/dav/%c3',
  '/dav/%c0%ae%c0%ae/x',
  '/dav/%ed%a0%80',
  '/dav/%',
  '/dav/%zz',
  '/dav/%20',
  '/dav/a#b',
  `/dav/${'a'.repeat(256)}`,
  `/dav/${'a/'.repeat(129)}`,
];

for (const address of REJECTED) {
  test(`${address.slice(0, 30)} is rejected`, () => {
    assert.throws(() => readTarget(address), { name: 'Failure', kind: 'invalid' });
  });
}

test('escapes are decoded only once', () => {
  assert.equal(pathOf(readTarget('/dav/%252e%252e')), '/%2e%2e');
  assert.equal(pathOf(readTarget('/dav/a%2520b?query')), '/a%20b');
});

const HOSTS = ['drive.example:8080', 'public.example'];

const REFERENCES: readonly [string, LogicalPath | 502 | 400][] = [
  ['/dav/a', '/a' as LogicalPath],
  ['http://drive.example:8080/dav/a', '/a' as LogicalPath],
  ['HTTP://Drive.Example:8080/dav/a/', '/a' as LogicalPath],
  ['https://public.example/dav/a', '/a' as LogicalPath],
  ['https://public.example:443/dav/a', '/a' as LogicalPath],
  ['http://public.example:80/dav/a', '/a' as LogicalPath],
  ['https://public.example:80/dav/a', 502],
  ['http://drive.example/dav/a', 502],
  ['http://other.example/dav/a', 502],
  ['http://drive.example:8080@other.example/dav/a', 502],
  ['http://user@public.example/dav/a', 502],
  ['ftp://public.example/dav/a', 502],
  ['http://public.example', 502],
  ['http://public.example/davx/a', 502],
  ['/api/files', 502],
  ['/', 502],
  ['//public.example/dav/a', 400],
  ['dav/a', 400],
  ['', 400],
  ['http://public.example/dav/../a', 400],
];

for (const [reference, expected] of REFERENCES) {
  test(`the destination ${JSON.stringify(reference)} is ${expected}`, () => {
    if (expected === 502)
      assert.throws(() => readReference(reference, HOSTS), { name: 'DavError', status: 502 });
    else if (expected === 400) assert.throws(() => readReference(reference, HOSTS), { kind: 'invalid' });
    else assert.equal(pathOf(readReference(reference, HOSTS)), expected);
  });
}
