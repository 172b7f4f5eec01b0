// tier: default
// Compares docs/security.md with the repository: what it names must exist.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { hasTest, readSecurityDocument } from './security-document.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');
const document = readSecurityDocument(readFileSync(path.join(root, 'docs', 'security.md'), 'utf8'));

/** The number of requirements in each section of OWASP ASVS 5.0, for the answered chapters. */
const SECTIONS: Readonly<Record<string, number>> = {
  ...{ '2.1': 3, '2.2': 3, '2.3': 5, '2.4': 2 },
  ...{ '4.1': 5, '4.2': 5, '4.3': 2, '4.4': 4 },
  ...{ '5.1': 1, '5.2': 6, '5.3': 3, '5.4': 3 },
  ...{ '7.1': 3, '7.2': 4, '7.3': 2, '7.4': 5, '7.5': 3, '7.6': 2 },
  ...{ '8.1': 4, '8.2': 4, '8.3': 3, '8.4': 2 },
  ...{ '9.1': 3, '9.2': 4 },
  ...{ '16.1': 1, '16.2': 5, '16.3': 4, '16.4': 3, '16.5': 4 },
  ...{ '17.1': 2, '17.2': 8, '17.3': 2 },
};

const VERDICTS = ['Met', 'Met in part', 'Not met', 'Does not apply'];

test('every requirement of the answered chapters has one entry, in order, with a known verdict', () => {
  const expected = Object.entries(SECTIONS).flatMap(([section, count]) =>
    Array.from({ length: count }, (_, index) => `${section}.${index + 1}`),
  );
  assert.deepEqual(
    document.requirements.map(({ id }) => id),
    expected,
  );
  for (const { id, verdict } of document.requirements)
    assert.ok(VERDICTS.includes(verdict), `${id}: ${verdict}`);
});

test('all requirements that are not met, or only met in part, are listed', () => {
  for (const verdict of ['Not met', 'Met in part']) {
    const answered = document.requirements.filter((requirement) => requirement.verdict === verdict);
    assert.deepEqual(
      document.lists.get(verdict),
      answered.map(({ id }) => id),
    );
  }
});

test('every test that the document names exists', () => {
  assert.ok(document.tests.length > 100, `only ${document.tests.length} tests were read`);
  const faults = document.tests.flatMap(({ file, name }) => {
    const text = readTest(file);
    if (text === undefined) return [`${file} does not exist`];
    return name !== '' && hasTest(text, name) ? [] : [`${file} has no test "${name}"`];
  });
  assert.deepEqual(faults, []);
});

test('every source file that the document names exists', () => {
  assert.ok(document.sources.length > 20, `only ${document.sources.length} files were read`);
  const missing = document.sources.filter(
    (file) => !existsSync(path.join(root, 'server', 'src', file)) && !existsSync(path.join(root, file)),
  );
  assert.deepEqual(missing, []);
});

test('the reader finds requirements, lists, tests and source files', () => {
  const read = readSecurityDocument(`
Not met: 1.2.3,
4.5.6.

- **2.1.1** (level 1) A summary. *Met in
  part.* In \`http/server.ts\`: \`http/x.test.ts\` "one
  name", "another"; \`server/src/y.test.ts\` "a … b".
`);
  assert.deepEqual(read, {
    requirements: [{ id: '2.1.1', level: 1, verdict: 'Met in part' }],
    lists: new Map([['Not met', ['1.2.3', '4.5.6']]]),
    tests: [
      { file: 'http/x.test.ts', name: 'one name' },
      { file: 'http/x.test.ts', name: 'another' },
      { file: 'server/src/y.test.ts', name: 'a … b' },
    ],
    sources: ['http/server.ts'],
  });
  // Kept in variables, so that they do not count as tests of this file.
  const [call, computed] = ["test('is (not) sent', ", 'it(\n    `the $' + "{what} of it`, ')"];
  assert.ok(hasTest(call, 'is (not) sent'));
  assert.ok(hasTest(computed, 'the … of it'));
  for (const name of ['is not sent', 'is (not)', 'not) sent', '']) assert.ok(!hasTest(call, name), name);
});

function readTest(file: string): string | undefined {
  const found = [path.join(root, 'server', 'test', file), path.join(root, file)].find(existsSync);
  return found === undefined ? undefined : readFileSync(found, 'utf8');
}
