// tier: default
// Checks the source against the rules of docs/architecture.md. Each rule has its own tests next to it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findClientFaults } from './imports/client-rules.ts';
import { findCommandLineFaults } from './imports/command-line-rules.ts';
import { findImportFaults } from './imports/import-rules.ts';
import { findImpureFaults, findWebFaults } from './imports/web-rules.ts';
import { readModules, type SourceModule } from './source/source-module.ts';
import { findIconButtonFaults } from './text/icon-button-rules.ts';
import { findTextFaults, OUTSIDE_DOCUMENT } from './text/text-rules.ts';

const server = path.dirname(path.dirname(import.meta.dirname));
const source = readModules(server, 'src');
const tests = readModules(server, 'test');
const web = readModules(path.dirname(server), 'web/src');
const client = readModules(path.dirname(server), 'client/src');
const commandLine = readModules(path.dirname(server), 'cli/src');

test('all modules and all of their imports are read', () => {
  // If the reader found nothing, the rules would find no faults either.
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

test('the server follows the rules about floors, faces, folders and packages', () => {
  const { dependencies } = JSON.parse(readFileSync(path.join(server, 'package.json'), 'utf8'));
  assertNoFaults(findImportFaults(source, Object.keys(dependencies)));
});

test('all code follows the rules about names, lengths and words', () => {
  assertNoFaults(findTextFaults([...source, ...tests] satisfies SourceModule[]));
  assertNoFaults(findTextFaults(web, ''));
  assertNoFaults(findTextFaults(commandLine, ''));
  // Generated files are left out, because their length depends on the size of the API.
  assertNoFaults(
    findTextFaults(
      client.filter((module) => !module.path.includes('/generated/')),
      '',
    ),
  );
});

test('the web client imports only types and pure files of the server, and follows the rules of its floors', () => {
  assert.ok(web.length >= 30, `only ${web.length} modules were read`);
  assertNoFaults(findWebFaults(web));
  assertNoFaults(findImpureFaults(readModules(path.dirname(server), 'server/src')));
});

test('every icon button of the web client has a tooltip', () => {
  const found = (text: string) => findIconButtonFaults([{ path: 'a.tsx', text }]).length;
  assert.equal(found('<ActionIcon aria-label={t("a")}><IconX /></ActionIcon>'), 1);
  assert.equal(found('<button type="button" aria-label={a}>\n  <IconX size={18} />\n</button>'), 1);
  assert.equal(found('<CloseButton aria-label={a} />'), 1);
  assert.equal(found('<Modal closeButtonProps={{ "aria-label": a }} />'), 1);
  assert.equal(found('<CloseButton {...labelled(a)} /><button>Text</button>'), 0);
  assertNoFaults(findIconButtonFaults(web));
});

test('the client library imports only itself, and follows the rules about its floors', () => {
  assert.ok(client.length >= 30, `only ${client.length} modules were read`);
  assertNoFaults(findClientFaults(client));
});

test('the command line reaches the service only through the client library', () => {
  assert.ok(commandLine.length >= 20, `only ${commandLine.length} modules were read`);
  assertNoFaults(findCommandLineFaults(commandLine));
});

test('the documents refer only to documents in the repository', () => {
  const root = path.dirname(server);
  const documents = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name));
  assert.ok(documents.length >= 5, `only ${documents.length} documents were read`);
  for (const document of [...documents, 'README.md', 'SECURITY.md']) {
    const found = readFileSync(path.join(root, document), 'utf8').match(OUTSIDE_DOCUMENT) ?? [];
    assert.deepEqual(found, [], document);
  }
});

function assertNoFaults(faults: readonly string[]): void {
  assert.equal(faults.length, 0, `\n${faults.join('\n')}\n`);
}
