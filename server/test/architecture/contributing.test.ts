// tier: default
// Compares "Adding an endpoint" in CONTRIBUTING.md with the endpoint that it uses as an example.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import * as contract from '../../src/drive/versions/contract.ts';

const MAX_PLACES = 8;

const root = path.join(import.meta.dirname, '..', '..', '..');
const section = /^## Adding an endpoint$(.*?)^## /ms.exec(read('CONTRIBUTING.md'))?.[1] ?? '';
/** The operation that the section uses as an example. */
const operation = /`([A-Z]+ \/[^`]+)`/.exec(section)?.[1] ?? '';
/** A file for each numbered step, and what it contains. The first step names the description. */
const places = [...section.matchAll(/^\d+\. `([^`]+)`:\s+(.*?)(?=^\d+\. |^$)/gms)].map(
  ([, file = '', text = '']) => ({ file, named: /`([^`]+)`/.exec(text)?.[1] }),
);

test('a new endpoint needs changes in at most eight places', () => {
  const steps = section.match(/^\d+\. /gm) ?? [];
  assert.equal(places.length, steps.length, 'a step does not begin with its file');
  assert.ok(places.length >= 5 && places.length <= MAX_PLACES, `${places.length} places`);
});

test('each place of the endpoint exists and contains what the section names', () => {
  const faults = places.flatMap(({ file, named }) => {
    if (!existsSync(path.join(root, file))) return [`${file} does not exist`];
    return named === undefined || read(file).includes(named) ? [] : [`${file} has no ${named}`];
  });
  assert.deepEqual(faults, []);
});

test('the places belong to the example endpoint of the section', () => {
  const [described] = places;
  assert.equal(described?.file, 'server/src/drive/versions/contract.ts');
  const exported = new Map<string, unknown>(Object.entries(contract));
  const found = exported.get(described?.named ?? '');
  assert.ok(typeof found === 'object' && found !== null && 'name' in found);
  assert.equal(found.name, operation);
  const mounted = places.find(({ file }) => file.endsWith('/routes.ts'));
  assert.ok(read(mounted?.file ?? '').includes(`mount(server, ${described?.named}, `));
  for (const file of places.map((place) => place.file).filter((name) => /^(?:client|docs)\//.test(name))) {
    assert.ok(read(file).includes(operation), `${file} does not name ${operation}`);
  }
});

test('the other files and directories that the section names exist', () => {
  const named = [...section.matchAll(/`([a-z]+\/[\w/.-]+)`/g)].map(([, name = '']) => name);
  assert.deepEqual(
    named.filter((name) => !existsSync(path.join(root, name))),
    [],
  );
});

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
