// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../../tools/testing/fast-check.ts';
import { anyCharacter } from '../../../../test/support/text/any-character.ts';
import { Failure } from '../../failure.ts';
import {
  childOf,
  joinPath,
  type LogicalPath,
  parentOf,
  ROOT_PATH,
  segmentsOf,
  toLogicalPath,
} from './logical-path.ts';

for (const [text, path] of [
  ['', '/'],
  ['/', '/'],
  ['///', '/'],
  ['docs', '/docs'],
  ['/docs/', '/docs'],
  ['//docs///a.txt//', '/docs/a.txt'],
  ['/a b/ c ', '/a b/ c '],
  // The URL parser has decoded the path already: the remaining percent signs are ordinary characters.
  ['/%2e%2e/x', '/%2e%2e/x'],
  ['/a%2fb', '/a%2fb'],
  ['/.../..a', '/.../..a'],
  ['/cafe\u0301', '/caf\u00e9'],
] as const) {
  test(`"${text}" is the path "${path}"`, () => assert.equal(toLogicalPath(text), path));
}

for (const [what, text] of [
  ['a segment ".."', '/a/../b'],
  ['a segment "." at its end', '/a/.'],
  ['only ".."', '..'],
  ['a backslash', '/a\\..\\b'],
  ['NUL', '/a\0/b'],
  ['a blank segment', '/a/ /b'],
  ['a lone surrogate', '/a/\udfff'],
  ['a name of 256 bytes', `/${'x'.repeat(256)}`],
] as const) {
  test(`a path with ${what} is rejected`, () => assert.throws(() => toLogicalPath(text), isInvalid));
}

test('a path may have 128 levels and no more', () => {
  assert.equal(segmentsOf(toLogicalPath('/a'.repeat(128))).length, 128);
  assert.throws(() => toLogicalPath('/a'.repeat(129)), isInvalid);
});

test('a path may have 4,096 bytes and no more, counted as UTF-8', () => {
  const longest = `/${'x'.repeat(255)}`.repeat(16);
  assert.equal(Buffer.byteLength(toLogicalPath(longest)), 4_096);
  assert.throws(() => toLogicalPath(`${longest}/x`), isInvalid);
  assert.throws(
    () => toLogicalPath(`/${'é'.repeat(127)}`.repeat(16) + '/'.concat('é'.repeat(10))),
    isInvalid,
  );
});

test('repeated separators do not count as levels', () => {
  assert.equal(toLogicalPath(`a${'/'.repeat(8_190)}b`), '/a/b');
});

test('a path with more code units than any valid path is rejected before it is split', () => {
  for (const text of [`a${'/'.repeat(8_191)}b`, 'a/'.repeat(5_000_000), '\u0315\u0300'.repeat(1_000_000)]) {
    // CPU time, because other processes may use the cores.
    const before = process.cpuUsage();
    assert.throws(() => toLogicalPath(text), isInvalid);
    assert.ok(process.cpuUsage(before).user < 50_000);
  }
});

test('the longest path may be sent in decomposed form', () => {
  const longest = `/${'\u01d5'.repeat(127)}`.repeat(16);
  assert.equal(toLogicalPath(longest.normalize('NFD')), longest);
});

test('any text is rejected or becomes a normalised path, which does not change again', () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const path = pathOrFailure(text);
      if (path === undefined) return;
      assert.equal(toLogicalPath(path), path);
      assert.equal(joinPath(segmentsOf(path)), path);
      assert.equal(path.normalize('NFC'), path);
      assert.ok(path === '/' || (path.startsWith('/') && !path.endsWith('/')));
      assert.doesNotMatch(path, /\/\/|\\|\0|\/\.{1,2}(?:\/|$)/);
      assert.equal(Buffer.from(path).toString(), path);
      assert.ok(Buffer.byteLength(path) <= 4_096);
      assert.ok(segmentsOf(path).length <= 128);
    }),
    { numRuns: 3_000 },
  );
});

test('every path is the child of its parent', () => {
  fc.assert(
    fc.property(hostileText(), (text) => {
      const path = pathOrFailure(text);
      if (path === undefined || path === ROOT_PATH) return;
      const name = segmentsOf(path).at(-1) ?? '';
      assert.equal(childOf(parentOf(path), name), path);
      assert.equal(segmentsOf(parentOf(path)).length, segmentsOf(path).length - 1);
    }),
  );
});

test('the root is its own parent and has no segments', () => {
  assert.equal(parentOf(ROOT_PATH), '/');
  assert.deepEqual(segmentsOf(ROOT_PATH), []);
  assert.equal(joinPath([]), '/');
  assert.equal(childOf(ROOT_PATH, 'a'), '/a');
});

test('joined segments must be valid names, so none can contain a separator', () => {
  assert.throws(() => joinPath(['a/b']), isInvalid);
  assert.throws(() => joinPath(['a', '']), isInvalid);
  assert.throws(() => joinPath(['..']), isInvalid);
});

function hostileText() {
  const piece = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom('/', 'a', 'docs', '.txt', ' ', '%2e%2e', '%2f', 'e\u0301', '\u0338'),
    },
    fc.constantFrom(
      '.',
      '..',
      '//',
      '\\',
      '\\\\',
      '\0',
      '\ud800',
      '\udc00',
      '\u0085',
      '../',
      'x'.repeat(200),
    ),
    fc.string({ unit: anyCharacter, maxLength: 3 }),
  );
  return fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
}

function pathOrFailure(text: string): LogicalPath | undefined {
  try {
    return toLogicalPath(text);
  } catch (error) {
    assert(isInvalid(error), String(error));
    return undefined;
  }
}

function isInvalid(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'invalid';
}
