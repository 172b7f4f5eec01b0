// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the sources that are read here hold templates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitSource } from './source-text.ts';

const CASES: readonly [string, string, string][] = [
  ['a line comment is no code', 'a; // b\nc;', 'a;     \nc;'],
  ['a block comment keeps its lines', 'a /* b\n c */ d', 'a     \n      d'],
  ['a string loses what it says', `f('a b', "c")`, `f('   ', " ")`],
  ['a quote may be escaped', `'it\\'s' + a`, `'     ' + a`],
  ['what looks like a comment may be a string', `'http://x' + a`, `'        ' + a`],
  ['what looks like a string may be a comment', `// it's\na`, `       \na`],
  ['a value inserted in a template is code', 'f(`a ${b} c`)', 'f(`  ${b}  `)'],
  ['a template may lie in a template', '`a${`b${c}`}d`', '` ${` ${c}`} `'],
  ['a value may hold braces', '`${{ a: { b } }}c`;', '`${{ a: { b } }} `;'],
  ['a dollar alone inserts nothing', '`$a $` + b', '`    ` + b'],
  ['a regular expression may hold quotes', `x = /['"\`]/g; 'a'`, `x = /      g; ' '`],
  ['a class in one may hold a slash', 'f(/[/]"/, a)', 'f(/    /, a)'],
  ['a slash behind a value divides', `a / b / 'c'`, `a / b / ' '`],
];

for (const [what, text, code] of CASES) {
  test(what, () => assert.equal(splitSource(text).code, code));
}

test('the comments are what the code is not', () => {
  assert.equal(splitSource(`a; // b\n'/* c */' /* d */`).comments, `   // b\n          /* d */`);
});

test('whatever the text, its length and its lines stay', () => {
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
