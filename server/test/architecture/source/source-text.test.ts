// tier: default
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources in the cases contain templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../../tools/testing/fast-check.ts';
import { splitSource } from './source-text.ts';

const CASES: readonly [string, string, string][] = [
  ['a line comment is not code', 'a; // b\nc;', 'a;     \nc;'],
  ['a block comment keeps its lines', 'a /* b\n c */ d', 'a     \n      d'],
  ['a string loses its content', `f('a b', "c")`, `f('   ', " ")`],
  ['an escaped quote does not end a string', `'it\\'s' + a`, `'     ' + a`],
  ['a string may look like a comment', `'http://x' + a`, `'        ' + a`],
  ['a comment may look like a string', `// it's\na`, `       \na`],
  ['an interpolation of a template is code', 'f(`a ${b} c`)', 'f(`  ${b}  `)'],
  ['a template may be in a template', '`a${`b${c}`}d`', '` ${` ${c}`} `'],
  ['an interpolation may contain braces', '`${{ a: { b } }}c`;', '`${{ a: { b } }} `;'],
  ['a dollar without a brace is not an interpolation', '`$a $` + b', '`    ` + b'],
  ['a regular expression may contain quotes', `x = /['"\`]/g; 'a'`, `x = /      g; ' '`],
  ['a character class may contain a slash', 'f(/[/]"/, a)', 'f(/    /, a)'],
  ['a slash after a value is a division', `a / b / 'c'`, `a / b / ' '`],
];

for (const [what, text, code] of CASES) {
  test(what, () => assert.equal(splitSource(text).code, code));
}

test('comments and code together make up the whole text', () => {
  assert.equal(splitSource(`a; // b\n'/* c */' /* d */`).comments, `   // b\n          /* d */`);
});

test('splitting keeps the length and the lines of any text', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    '\n',
    "'",
    '"',
    '`',
    '/',
    '*',
    '\\',
    '${',
    '{',
    '}',
    '[',
    '😀',
    'return',
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      const { code, comments } = splitSource(text);
      for (const part of [code, comments]) {
        assert.equal(part.length, text.length);
        assert.deepEqual(newlinesIn(part), newlinesIn(text));
      }
    }),
  );
});

function newlinesIn(text: string): number[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => index);
}
