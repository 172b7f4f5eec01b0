import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from './source-module.ts';
import { findTextFaults } from './text-rules.ts';

const FAULTS: readonly [string, string, string, RegExp][] = [
  ['a note of work left', 'src/drive/x.ts', '// TODO later', /"TODO"/],
  ['one in a long comment', 'test/x.ts', '/** a\n * FIXME */', /x\.ts:2 "FIXME"/],
  ['a silenced compiler', 'src/drive/x.ts', '// @ts-ignore', /@ts-ignore/],
  ['any as a type', 'src/drive/x.ts', 'let a: any;', /switches the types off/],
  ['a list of any', 'test/x.ts', 'let a: any[];', /switches the types off/],
  ['any as an argument of a type', 'test/x.ts', 'let a: Promise<any>;', /switches the types off/],
  ['a cast to any', 'src/drive/x.ts', 'f(a as any);', /"as any"/],
  ['a test that runs alone', 'test/x.test.ts', `test.only('a', () => {});`, /"\.only\("/],
  ['a test left out', 'src/base/x.test.ts', `test.skip('a', () => {});`, /"\.skip\("/],
  ['a test left out from within', 'test/x.test.ts', `test('a', (t) => t.skip());`, /every test runs/],
  [
    'a test left out by an option',
    'test/x.test.ts',
    `test('a', { skip: true }, () => {});`,
    /every test runs/,
  ],
  ['the time of the machine', 'src/drive/x.ts', 'const now = Date.now();', /time comes from the clock/],
  ['a date of now', 'src/drive/x.ts', 'const now = new Date();', /time comes from the clock/],
  ['a date of now without brackets', 'src/drive/x.ts', 'const now = new Date;', /time comes from the clock/],
  ['chance', 'src/base/ids.ts', 'Math.random();', /time comes from the clock and chance/],
  ['bytes of chance', 'src/drive/x.ts', `import { randomBytes } from 'node:crypto';`, /from the ids/],
  ['an id of chance', 'src/base/clock.ts', 'crypto.randomUUID();', /from the ids/],
  ['a name that says nothing', 'src/drive/utils.ts', '', /named after what is inside/],
  ['a barrel', 'src/drive/index.ts', '', /named after what is inside/],
  ['a manager', 'src/drive/upload-manager.ts', '', /named after what is inside/],
  ['a long file', 'test/x.ts', 'a;\n'.repeat(401), /401 lines/],
];

for (const [what, path, text, fault] of FAULTS) {
  test(`${what} is a fault`, () => {
    const faults = findTextFaults([toModule(path, text)]);
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', fault);
    assert.ok(faults[0]?.startsWith(`server/${path}`));
  });
}

const FINE: readonly [string, string, string][] = [
  ['the same words in a string', 'src/drive/x.ts', `f('// TODO: any as any Date.now() test.only(');`],
  ['any in a sentence', 'src/drive/x.ts', '// as any other: any of them'],
  ['any as a name', 'src/drive/x.ts', 'return AbortSignal.any([a, b]) ?? company;'],
  ['a date of an instant', 'src/drive/x.ts', 'new Date(instant).toISOString();'],
  ['the clock itself', 'src/base/clock.ts', 'Date.now();'],
  ['the ids themselves', 'src/base/ids.ts', 'randomBytes(16);'],
  ['chance in a test', 'src/drive/x.test.ts', 'randomBytes(Date.now());'],
  ['a name that ends like a forbidden one', 'src/formats/media-types.ts', ''],
  ['a file of 400 lines', 'test/x.ts', 'a;\n'.repeat(400)],
  ['an option of that name in the product', 'src/drive/x.ts', 'f({ skip: 10 });'],
];

for (const [what, path, text] of FINE) {
  test(`${what} is none`, () => assert.deepEqual(findTextFaults([toModule(path, text)]), []));
}
