// tier: default
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources in the cases contain templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toModule } from './source-module.ts';

const CASES: readonly [string, string, readonly (string | undefined)[]][] = [
  ['a named import', `import { a } from './a.ts';`, ['./a.ts']],
  ['an import over several lines', `import {\n  a,\n  type B,\n} from './a.ts';`, ['./a.ts']],
  ['a default import in double quotes', `import a, { b } from "pg";`, ['pg']],
  ['a namespace import', `import * as a from './a.ts';`, ['./a.ts']],
  ['a type import', `import type { A } from './a.ts';`, ['./a.ts']],
  ['an import for its side effects', `import './a.ts';`, ['./a.ts']],
  ['a re-export', `export { a } from './a.ts';\nexport * from './b.ts';`, ['./a.ts', './b.ts']],
  [
    'an import without a semicolon',
    `import { a } from './a.ts'\nimport { b } from './b.ts'`,
    ['./a.ts', './b.ts'],
  ],
  ['a dynamic import', `const { a } = await import('./a.ts');`, ['./a.ts']],
  ['an import type', `type A = import('./a.ts').A;`, ['./a.ts']],
  ['a require', `const a = require('pg');`, ['pg']],
  ['a computed import', 'await import(name); load(() => import(`./${name}.ts`));', [undefined, undefined]],
  ['no import in a comment', `// import { a } from './a.ts';\n/* import './b.ts'; */`, []],
  ['no import in a string', `const text = "import { a } from './a.ts'";`, []],
  [
    'no import in a method called import',
    `class A { async import(token: string) {} }\na.import('./a.ts');`,
    [],
  ],
  ['no import in an ordinary export', `export const from = 'here';\nexport type A = 'a' | 'b';`, []],
];

for (const [what, text, specifiers] of CASES) {
  test(`the reader finds ${what}`, () => {
    assert.deepEqual(
      toModule('src/made-up.ts', text).imports.map(({ specifier }) => specifier),
      specifiers,
    );
  });
}

test('an import records its line, whether it imports only types, and whether it is a call', () => {
  const { imports } = toModule(
    'src/made-up.ts',
    `\nimport type { A } from 'a';\nimport { type B } from 'b';\nconst { C } = await import('c');\n`,
  );
  assert.deepEqual(imports, [
    { specifier: 'a', line: 2, isType: true, isCall: false },
    { specifier: 'b', line: 3, isType: false, isCall: false },
    { specifier: 'c', line: 4, isType: false, isCall: true },
  ]);
});
