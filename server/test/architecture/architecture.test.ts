// The plan of the house, read from the source itself. What each rule catches is shown in architecture/*.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findImportFaults } from './import-rules.ts';
import { readModules, type SourceModule } from './source-module.ts';
import { findTextFaults } from './text-rules.ts';
import { findWebFaults } from './web-rules.ts';

const server = path.dirname(path.dirname(import.meta.dirname));
const source = readModules(server, 'src');
const tests = readModules(server, 'test');
const web = readModules(path.dirname(server), 'web/src');

test('all of the source is read, with all of its imports', () => {
  // A reader that finds nothing would find nothing wrong either.
  assert.ok(source.length >= 100, `only ${source.length} modules were read`);
  assert.ok(source.some((module) => module.path === 'src/app/app.ts'));
  for (const module of [...source, ...tests]) {
    const lines = module.text.split('\n').filter((line) => /^(?:import\b|\} from )/.test(line));
    const opened = lines.filter((line) => /^import (?:type )?\{$/.test(line));
    assert.ok(module.imports.length >= lines.length - opened.length, `${module.path}: imports were missed`);
  }
});

test('the source keeps to its floors, faces and packages', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(server, 'package.json'), 'utf8'));
  assertNoFaults(findImportFaults(source, Object.keys(dependencies)));
});

test('the source and the tests keep to the style of the house', () => {
  assertNoFaults(findTextFaults([...source, ...tests] satisfies SourceModule[]));
  assertNoFaults(findTextFaults(web, ''));
});

test('the web client knows the contract of the server and nothing else of it, and has its own order', () => {
  assert.ok(web.length >= 30, `only ${web.length} modules were read`);
  assertNoFaults(findWebFaults(web));
});

function assertNoFaults(faults: readonly string[]): void {
  assert.equal(faults.length, 0, `\n${faults.join('\n')}\n`);
}
