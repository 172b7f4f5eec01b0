// tier: default
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { FIXTURES } from '../../server/test/support/package/fixtures.ts';
import { VERSION } from './contents.ts';
import { NODE_VERSION } from './targets.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');

test('the packages, the lock file and the changelog have the same version', () => {
  const { version } = JSON.parse(read('package.json'));
  assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  const { packages } = JSON.parse(read('package-lock.json'));
  for (const part of ['server', 'web', 'client']) {
    assert.equal(JSON.parse(read(`${part}/package.json`)).version, version, part);
    assert.equal(packages[part].version, version, part);
  }
  assert.equal(packages[''].version, version);
  assert.equal(/^## (\S+)/m.exec(read('CHANGELOG.md'))?.[1], version);
});

test('this version has a database fixture, for testing the migrations of later versions', () => {
  assert.ok(existsSync(path.join(FIXTURES, VERSION, 'expected.json')), `see docs/upgrading.md: ${VERSION}`);
});

test('the packages contain the same Node.js that clones fetch', () => {
  assert.ok(read('tools/node.mjs').includes(`const FETCHED_VERSION = '${NODE_VERSION}';`));
});

test('the native library that pdf.js draws with is optional, and locked for all platforms', () => {
  const { packages } = JSON.parse(read('package-lock.json'));
  const names = Object.keys(packages).filter((name) => name.startsWith('node_modules/@napi-rs/canvas'));
  assert.ok(names.length > 5, names.join());
  for (const name of names) assert.equal(packages[name].optional, true, name);
});
