// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { toSafeName, toSafePaths } from './safe-paths.ts';

for (const [name, safe] of [
  ['letter.pdf', 'letter.pdf'],
  ['Übersicht 2025.txt', 'Übersicht 2025.txt'],
  ['报告.docx', '报告.docx'],
  ['a:b?.txt', 'a_b_.txt'],
  ['CON.txt', '_CON.txt'],
  ['com1', '_com1'],
  ['dots...', 'dots'],
  ['  ', '_'],
  ['pic\u202egpj.exe', 'picgpj.exe'],
  [`${'x'.repeat(300)}.jpeg`, `${'x'.repeat(120)}.jpeg`],
] as const) {
  test(`"${name.slice(0, 20)}" is written as "${safe.slice(0, 20)}"`, () =>
    assert.equal(toSafeName(name), safe));
}

test('a hostile name of a hundred thousand combining marks is shortened quickly', () => {
  const name = `a${'\u0315\u0300'.repeat(50_000)}.jpg`;
  // CPU time, because other processes may use the cores. Normalising the name takes 6 s.
  const before = process.cpuUsage();
  assert.equal(Array.from(toSafeName(name)).length, 124);
  assert.ok(process.cpuUsage(before).user < 500_000);
});

test('a file keeps its folders', () => {
  const paths = toSafePaths([
    { name: 'a.jpg', relativePath: 'Trip/Day 1/a.jpg' },
    { name: 'a.jpg', relativePath: 'Trip/Day 2' },
    { name: 'a.jpg', relativePath: null },
    { name: 'A.jpg', relativePath: null },
    { name: 'b', relativePath: '../../etc/b' },
  ]);
  assert.deepEqual(
    paths.map((path) => path.join('/')),
    ['Trip/Day 1/a.jpg', 'Trip/Day 2/a.jpg', 'a.jpg', 'A (2).jpg', 'etc/b'],
  );
});

test('no two files get the same path, and no path leaves the folder or equals that of a folder', () => {
  const segment = fc.constantFrom(
    'a',
    'A',
    'b',
    '..',
    '.',
    '',
    'con',
    'a.',
    'é',
    'e\u0301',
    'a (2)',
    '\\',
    'x/y',
  );
  const path = fc.option(fc.array(segment, { maxLength: 4 }).map((segments) => segments.join('/')));
  const file = fc.record({ name: segment, relativePath: path });
  fc.assert(
    fc.property(fc.array(file, { maxLength: 20 }), (files) => {
      const paths = toSafePaths(files);
      const places = paths.map((segments) => segments.join('/').toLowerCase());
      assert.equal(places.length, files.length);
      assert.equal(new Set(places).size, files.length);
      for (const [index, segments] of paths.entries()) {
        for (const name of segments) assert.ok(!/^\.{0,2}$|[/\\]/.test(name));
        assert.ok(!places.some((other) => other.startsWith(`${places[index]}/`)));
      }
    }),
  );
});
