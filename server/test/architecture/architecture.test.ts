// Checks the rules of docs/architecture.md against the source. The tests of the single rules are beside them.
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

test('all modules and all of their imports are read', () => {
  // If the reader found nothing, the rules would not find faults either.
  assert.ok(source.length >= 100, `only ${source.length} modules were read`);
  assert.ok(source.some((module) => module.path === 'src/app/app.ts'));
  for (const module of [...source, ...tests]) {
    const lines = module.text.split('\n').filter((line) => /^(?:import\b|\} from )/.test(line));
    const multiline = lines.filter((line) => /^import (?:type )?\{$/.test(line));
    assert.ok(
      module.imports.length >= lines.length - multiline.length,
      `${module.path}: imports were not found`,
    );
  }
});

test('the server keeps the rules about floors, faces, folders and packages', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(server, 'package.json'), 'utf8'));
  assertNoFaults(findImportFaults(source, Object.keys(dependencies)));
});

test('the server, its tests and the web client keep the rules about names, lengths and words', () => {
  assertNoFaults(findTextFaults([...source, ...tests] satisfies SourceModule[]));
  assertNoFaults(findTextFaults(web, ''));
});

test('the web client imports only types of the server, and keeps the rules about its own floors', () => {
  assert.ok(web.length >= 30, `only ${web.length} modules were read`);
  assertNoFaults(findWebFaults(web));
});

function assertNoFaults(faults: readonly string[]): void {
  assert.equal(faults.length, 0, `\n${faults.join('\n')}\n`);
}
