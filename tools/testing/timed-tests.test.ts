// tier: default
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { listTestFiles, readDeclaration } from './plan.ts';
import { findTimedTests } from './timed-tests.ts';

const root = path.join(import.meta.dirname, '..', '..');

test('no test of the default tier waits for a fixed time, measures time or decides at random', () => {
  const found = listTestFiles(root).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return readDeclaration(file, text).tier === 'default' ? findTimedTests(file, text) : [];
  });
  assert.equal(found.length, 0, `\n${found.join('\n')}`);
});

// Each `@` is replaced below. Otherwise the check would find this file.
for (const [what, name, call] of [
  ['sleeps', 'sleep', 'await @(20);'],
  ['sets a timer', 'setTimeout', 'await new Promise((resolve) => @(resolve, 20));'],
  ['measures', 'performance.now', 'const start = @();'],
  ['draws', 'randomInt', 'const n = @(20);'],
] as const) {
  const line = call.replace('@', name);
  test(`a test that ${what} is found, unless it runs only with --full`, () => {
    const inTest = (header: string) => `${header}\n  ${line}\n});\n`;
    const sentences = findTimedTests('a.test.ts', inTest(`test('x', async () => {`));
    assert.equal(sentences.length, 1);
    assert.match(sentences[0] ?? '', /^a\.test\.ts:2 (?:waits|measures|decides)/);
    assert.deepEqual(findTimedTests('a.test.ts', inTest(`test('x', inFull, async () => {`)), []);
    assert.deepEqual(
      findTimedTests('a.test.ts', inTest(`describe('x', { ...inFull, timeout: 5 }, () => {`)),
      [],
    );
    const inObject = `test('x', {\n  ...inFull,\n  timeout: 5,\n}, async () => {`;
    assert.deepEqual(findTimedTests('a.test.ts', inTest(inObject)), []);
    assert.deepEqual(findTimedTests('a.test.ts', inTest(`test(\n  'x',\n  inFull,\n  async () => {`)), []);
    assert.deepEqual(findTimedTests('a.test.ts', `// ${line}\n/**\n * ${line}\n */\n`), []);
  });
}

test('only the tests and suites around a line count', () => {
  const wait = `${'sleep'}(1)`;
  const text = [
    `describe('x', inFull, () => {`,
    `  test('y', async () => {`,
    `    await ${wait};`,
    `  });`,
    `});`,
    `test('z', async () => {`,
    `  await ${wait};`,
    `});`,
  ].join('\n');
  assert.deepEqual(
    findTimedTests('a.test.ts', text).map((sentence) => sentence.slice(0, 12)),
    ['a.test.ts:7 '],
  );
});
