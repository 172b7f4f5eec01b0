// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findTextFaults } from './text-rules.ts';

const FAULTS: readonly [string, string, string, RegExp][] = [
  ['a TODO', 'src/drive/x.ts', '// TODO later', /"TODO"/],
  ['a FIXME in a block comment', 'test/x.ts', '/** a\n * FIXME */', /x\.ts:2 "FIXME"/],
  ['a suppressed type error', 'src/drive/x.ts', '// @ts-ignore', /@ts-ignore/],
  ['any as a type', 'src/drive/x.ts', 'let a: any;', /disables type checking/],
  ['an array of any', 'test/x.ts', 'let a: any[];', /disables type checking/],
  ['any as a type argument', 'test/x.ts', 'let a: Promise<any>;', /disables type checking/],
  ['a cast to any', 'src/drive/x.ts', 'f(a as any);', /"as any"/],
  ['a test that runs alone', 'test/x.test.ts', `test.only('a', () => {});`, /"\.only\("/],
  ['a skipped test', 'src/base/x.test.ts', `test.skip('a', () => {});`, /"\.skip\("/],
  ['a test that skips itself', 'test/x.test.ts', `test('a', (t) => t.skip());`, /every test must always run/],
  [
    'a test with the option skip',
    'test/x.test.ts',
    `test('a', { skip: true }, () => {});`,
    /every test must always run/,
  ],
  ['Date.now', 'src/drive/x.ts', 'const now = Date.now();', /time comes from a Clock/],
  ['new Date()', 'src/drive/x.ts', 'const now = new Date();', /time comes from a Clock/],
  ['new Date without parentheses', 'src/drive/x.ts', 'const now = new Date;', /time comes from a Clock/],
  ['Math.random', 'src/base/ids.ts', 'const chance = Math.random;', /time comes from a Clock and randomness/],
  ['randomBytes', 'src/drive/x.ts', `import { randomBytes } from 'node:crypto';`, /from Ids/],
  ['randomUUID', 'src/base/clock.ts', 'crypto.randomUUID();', /from Ids/],
  ['text that is normalised', 'src/drive/x.ts', `a.normalize('NFC');`, /checks the length first/],
  ['an index as a key', 'web/src/ui/x.tsx', '<Row key={index} />', /loses its text when the list shifts/],
  ['a meaningless file name', 'src/drive/utils.ts', '', /name the file after its content/],
  ['a barrel file', 'src/drive/index.ts', '', /name the file after its content/],
  ['a file called manager', 'src/drive/upload-manager.ts', '', /name the file after its content/],
  ['a long file', 'test/x.ts', 'a;\n'.repeat(401), /401 lines/],
  [
    'a long function',
    'src/drive/x.ts',
    `\nfunction f() {\n${'a;\n'.repeat(79)}}`,
    /x\.ts:2 has a function of 81/,
  ],
  [
    'a section of a document outside of the repository',
    'src/drive/x.ts',
    '// Contract, section 3',
    /refer to a page under docs/,
  ],
  [
    'a test name with a document outside of the repository',
    'test/x.test.ts',
    `test('all of the specification')`,
    /refer to a page/,
  ],
  ['a file outside of the repository', 'src/drive/x.ts', '/** See spec.md. */', /refer to a page/],
];

for (const [what, path, text, fault] of FAULTS) {
  test(`${what} is a fault`, () => {
    const faults = findTextFaults([toModule(path, text)]);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
    assert.ok(faults[0]?.startsWith(`server/${path}`));
  });
}

const ALLOWED: readonly [string, string, string][] = [
  ['a string with such words', 'src/drive/x.ts', `f('// TODO: any as any Date.now() test.only(');`],
  ['any in a comment', 'src/drive/x.ts', '// as any other: any of them'],
  ['any as a name', 'src/drive/x.ts', 'return AbortSignal.any([a, b]) ?? company;'],
  ['normalised text in normal-form.ts', 'src/base/text/names/normal-form.ts', `a.normalize('NFC');`],
  ['normalised text in a test', 'test/x.test.ts', `a.normalize('NFC');`],
  ['the date of an instant', 'src/drive/x.ts', 'new Date(instant).toISOString();'],
  ['Date.now in clock.ts', 'src/base/clock.ts', 'Date.now();'],
  ['randomBytes in ids.ts', 'src/base/ids.ts', 'randomBytes(16);'],
  ['randomness in a test', 'src/drive/x.test.ts', 'randomBytes(Date.now());'],
  ['a name that ends like a forbidden one', 'src/formats/media-types.ts', ''],
  ['a file of 400 lines', 'test/x.ts', 'a;\n'.repeat(400)],
  ['a function of 80 lines', 'src/drive/x.ts', `function f() {\n${'a;\n'.repeat(78)}}`],
  ['a long list of routes', 'src/drive/routes.ts', `function f() {\n${'a;\n'.repeat(100)}}`],
  ['an option skip outside of tests', 'src/drive/x.ts', 'f({ skip: 10 });'],
];

for (const [what, path, text] of ALLOWED) {
  test(`${what} is allowed`, () => assert.deepEqual(findTextFaults([toModule(path, text)]), []));
}
