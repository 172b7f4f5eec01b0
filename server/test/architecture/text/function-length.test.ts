// tier: default
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from '../source/source-module.ts';
import { findFunctions } from './function-length.ts';

const CASES: readonly [string, string, readonly [number, number][]][] = [
  ['a function', 'a;\nfunction f(a: A) {\n  a;\n}', [[2, 3]]],
  ['a function with parameters on several lines', 'function f(\n  a: A,\n): Promise<void> {\n}', [[1, 4]]],
  ['a method with a return type', 'class A {\n  f(): string | undefined {\n  }\n}', [[2, 2]]],
  ['an arrow function', 'const f = async (a: A): Promise<B> => {\n  a;\n};', [[1, 3]]],
  ['an arrow function without parentheses', 'g(a => {\n  a;\n});', [[1, 3]]],
  [
    'a function inside another',
    'function f() {\n  const g = () => {\n  };\n}',
    [
      [2, 2],
      [1, 4],
    ],
  ],
  ['no function in a statement', 'if (a) {\n}\nfor (const b of c) {\n}\nwhile (d) {\n}\nswitch (e) {\n}', []],
  ['no function in a class or an object', 'class A {\n}\nconst a = {\n};\nf({\n});', []],
  ['no function in a string', "const a = 'function f() {';\nb;", []],
];

for (const [what, text, expected] of CASES) {
  test(`finds ${what}`, () => {
    const found = findFunctions(toModule('src/made-up.ts', text));
    assert.deepEqual(
      found.map(({ line, count }) => [line, count]),
      expected,
    );
  });
}
